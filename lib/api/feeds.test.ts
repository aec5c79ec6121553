import { parseAtomFeed, parseFeed } from 'feedsmith'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'
import { importRows, makeRating } from '#testing/archive/arbitrary.ts'
import { type Feed, toAtom, toFeedId } from './feeds.ts'

let test: TestApi
beforeAll(async () => {
  test = await openTestApi()
  await test.fill()
})
afterAll(() => test.close())

const loadAtom = async (path: string, context: { link?: string } = {}) => {
  const response = await test.ask(path, {}, context)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
  return parseAtomFeed(await response.text())
}

const toHref = (feed: Awaited<ReturnType<typeof loadAtom>>, rel: string) =>
  feed.links?.find((link) => link.rel === rel)?.href

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

describe('a feed of ratings', () => {
  it('has the newest ratings of its query, each once', async () => {
    const query = 'symbol=AAPL,MSFT&rating=4,5'
    const feed = await loadAtom(`/api/ratings.atom?${query}`)
    const { data } = await (await test.ask(`/api/ratings?${query}`)).json()
    expect(feed.entries?.map(({ links }) => links?.[0]?.href)).toEqual(
      data.map((row: { id: number }) => `https://ratings.example/ratings/${row.id}`),
    )
    expect(new Set(feed.entries?.map(({ id }) => id)).size).toBe(data.length)
  })

  it('is what its format asks of it', async () => {
    const feed = await loadAtom('/api/ratings.atom?rating=5')
    expect(feed.id).toMatch(/^urn:uuid:[0-9a-f-]{36}$/)
    expect(feed.title?.value).toBe('Ratings: rating 5')
    expect(feed.updated).toBe(feed.entries?.[0]?.updated)
    expect(toHref(feed, 'self')).toBe('https://ratings.example/api/ratings.atom?rating=5')
    expect(toHref(feed, 'alternate')).toBe('https://ratings.example/?rating=5')
    for (const entry of feed.entries ?? []) {
      expect(entry.id).toMatch(/^urn:uuid:/)
      expect(entry.updated).toMatch(RFC_3339)
      expect(entry.published).toBe(entry.updated)
      expect(entry.authors?.[0]?.name).toMatch(/^User \d+$/)
      expect(entry.content?.value).toMatch(/prediction [+−]?\d+(?:\.\d+)?%\.$/)
    }
  })

  it('leads by its pages to every rating of the query once (RFC 5005)', async () => {
    const { page } = await (await test.ask('/api/ratings?rating=5')).json()
    const ids: (string | undefined)[] = []
    let next: string | undefined = '/api/ratings.atom?rating=5&per_page=7'
    let before: string | undefined
    while (next !== undefined) {
      const feed = await loadAtom(next)
      ids.push(...(feed.entries ?? []).map(({ id }) => id))
      expect(toHref(feed, 'previous')).toBe(before)
      before = toHref(feed, 'self')
      next = toHref(feed, 'next')?.replace('https://ratings.example', '')
    }
    expect(ids).toHaveLength(page.total)
    expect(new Set(ids).size).toBe(page.total)
  })

  it('is made once for all who ask for the same, whether they send its validator back or not', async () => {
    const answer = await test.ask('/api/ratings.atom?rating=3')
    const [first, etag] = [await answer.text(), answer.headers.get('etag') ?? '']
    const { read } = test.archive.reader
    test.archive.reader.read = async () => {
      throw new Error('nobody needs to look')
    }
    try {
      expect(await (await test.ask('/api/ratings.atom?rating=3')).text()).toBe(first)
      const again = { headers: { 'if-none-match': etag } }
      expect((await test.ask('/api/ratings.atom?rating=3', again)).status).toBe(304)
      expect((await test.ask('/api/ratings.atom?rating=2')).status).toBe(500)
    } finally {
      test.archive.reader.read = read
    }
  })

  it('repeats the secret that it came by in addresses of itself alone', async () => {
    const feed = await loadAtom('/api/ratings.atom?per_page=1', { link: 'bw_secret' })
    expect(toHref(feed, 'self')).toContain('link=bw_secret')
    expect(toHref(feed, 'next')).toContain('link=bw_secret')
    expect(toHref(feed, 'alternate')).not.toContain('bw_secret')
    expect(JSON.stringify(feed.entries)).not.toContain('bw_secret')
  })

  it('of nothing has no entry, and says what is wrong with a query', async () => {
    const feed = await loadAtom('/api/ratings.atom?symbol=NOBODY')
    expect(feed).toMatchObject({ updated: '1970-01-01T00:00:00Z' })
    expect(feed.entries ?? []).toEqual([])
    for (const bad of ['sort=id', 'asof=2024-01-01', 'rating=x', 'per_page=501']) {
      expect((await test.ask(`/api/ratings.atom?${bad}`)).status, bad).toBe(400)
    }
  })
})

it.each(['/api/ratings.feed.json', '/api/changes.feed.json', '/api/symbols/AAPL/turns.atom'])(
  'a removed feed is unknown: %s',
  async (path) => {
    expect((await test.ask(path)).status).toBe(404)
  },
)

describe('a document', () => {
  const feed: Feed = {
    id: toFeedId('a'),
    title: `<&>"' \u0000\u0008\ud800 ]]> 🦔`,
    subtitle: 'é',
    self: 'https://a.example/?a=1&b=2',
    page: 'https://a.example/',
    first: 'https://a.example/',
    next: null,
    previous: null,
    entries: [
      {
        id: toFeedId('b'),
        title: '</title><script>',
        text: '&amp;',
        at: 1,
        author: null,
        address: 'https://a.example/1',
        tags: ['"'],
      },
    ],
  }

  it('holds any text as it is, but for what XML cannot hold', () => {
    const { format, feed: read } = parseFeed(toAtom(feed))
    expect(format).toBe('atom')
    expect(read).toMatchObject({
      title: { value: `<&>"' \ufffd\ufffd\ufffd ]]> 🦔` },
      entries: [
        {
          title: { value: '</title><script>' },
          content: { value: '&amp;' },
          categories: [{ term: '"' }],
        },
      ],
    })
  })

  it('has ids that are another for every other name, and the same for the same', () => {
    expect(toFeedId('a', 1)).toBe(toFeedId('a', 1))
    const all = [toFeedId('a', 1), toFeedId('a', '1'), toFeedId('a', 11), toFeedId('a1')]
    expect(new Set(all).size).toBe(4)
    expect(all[0]).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  })
})

describe('every feed', () => {
  const PATHS = [
    '/api/ratings.atom?rating=5',
    '/api/ratings.atom?state=active',
    '/api/ratings.atom?symbol=NOBODY',
    '/api/changes.atom',
  ]
  const load = async (path: string, ifNoneMatch?: string, method = 'GET') => {
    const headers = ifNoneMatch === undefined ? undefined : { 'if-none-match': ifNoneMatch }
    const response = await test.ask(path, { method, ...(headers && { headers }) })
    const [etag = '', modified = null] = ['etag', 'last-modified'].map((name) =>
      response.headers.get(name),
    )
    return { status: response.status, etag: etag ?? '', modified, body: await response.text() }
  }
  const commit = async (change: Partial<Parameters<typeof makeRating>[0]>) => {
    const { generation } = test.archive.state()
    ids += 1
    await importRows(test.archive, [
      makeRating({ id: 1_000_000 + ids, user_id: 999_999, ...change }),
    ])
    expect(test.archive.state().generation).toBeGreaterThan(generation)
  }
  let ids = 0

  it('is answered with 304 after a commit that leaves its document unchanged', async () => {
    const first = new Map<string, Awaited<ReturnType<typeof load>>>()
    for (const path of PATHS) first.set(path, await load(path))
    // Long ended, of a symbol and in a week that no feed covers.
    const old = {
      symbol: 'OLD.ONE',
      rating: 1,
      created_at: 1_300_000_000,
      expired_at: 1_300_000_001,
    }
    await commit(old)
    test.clock.now += 61
    for (const path of PATHS) {
      const { etag, body, modified } = first.get(path) ?? (await load(path))
      expect([path, await load(path)]).toEqual([path, { status: 200, etag, body, modified }])
      const unchanged = { status: 304, etag, body: '', modified }
      expect([path, await load(path, etag)]).toEqual([path, unchanged])
    }
  })

  it('is sent again with a new tag when its document changes', async () => {
    const path = '/api/ratings.atom?symbol=NEW.ONE'
    const empty = await load(path)
    await commit({ symbol: 'NEW.ONE', created_at: 1_600_000_000 })
    const one = await load(path, empty.etag)
    expect([one.status, one.etag === empty.etag]).toEqual([200, false])
    // Below the newest: the tag changes though the time of the newest entry does not.
    await commit({ symbol: 'NEW.ONE', created_at: 1_500_000_000 })
    const two = await load(path, one.etag)
    expect([two.status, two.modified]).toEqual([200, one.modified])
    expect(new Set([empty.etag, one.etag, two.etag]).size).toBe(3)
  })

  it('has the time of its newest entry as Last-Modified, and none without entries', async () => {
    for (const path of PATHS) {
      const { body, modified } = await load(path)
      const times = [...body.matchAll(/<published>([^<]+)/g)].map(([, time = '']) =>
        Date.parse(time),
      )
      const newest = times.length === 0 ? null : new Date(Math.max(...times)).toUTCString()
      expect([path, modified]).toEqual([path, newest])
    }
  })

  it('has one tag per document: of its query, host and token', async () => {
    const tags = await Promise.all([
      ...PATHS.map(async (path) => (await load(path)).etag),
      ...[{ link: 'bw_a' }, { link: 'bw_b' }, { origin: new URL('https://other.example') }].map(
        async (context) =>
          (await test.ask('/api/ratings.atom?rating=5', {}, context)).headers.get('etag'),
      ),
    ])
    expect(new Set(tags).size).toBe(tags.length)
  })

  it('compares tags weakly, in a list, and as proxies that compress write them', async () => {
    const path = '/api/ratings.atom?rating=5'
    const { etag } = await load(path)
    const inner = etag.slice(1, -1)
    for (const tags of [
      `W/${etag}`,
      `"a", W/"b,c" , ${etag}`,
      '*',
      `"${inner}-gzip"`,
      `W/"${inner}-br"`,
      `"${inner}-zstd"`,
    ]) {
      expect([tags, (await load(path, tags)).status]).toEqual([tags, 304])
    }
    for (const tags of ['', inner, `"${inner}-other"`, `"-gzip"`, '"*"', `"${inner}`]) {
      expect([tags, (await load(path, tags)).status]).toEqual([tags, 200])
    }
  })

  it('answers HEAD as GET without a body', async () => {
    for (const path of PATHS) {
      const { etag, modified } = await load(path)
      const head = { status: 200, etag, modified, body: '' }
      expect([path, await load(path, undefined, 'HEAD')]).toEqual([path, head])
      expect([path, await load(path, etag, 'HEAD')]).toEqual([path, { ...head, status: 304 }])
    }
  })
})

it('feeds take the turns of expensive questions, and leave room for another reader', async () => {
  let begun = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const { keptRows, read } = test.archive.reader
  const { select } = keptRows
  keptRows.select = async (build, signal) => {
    const { sql } = await read(async (db) => build(db).compile())
    if (sql.includes('tally_agree')) {
      begun += 1
      await released
    }
    return await select(build, signal)
  }
  try {
    const feeds = Array.from({ length: 8 }, (_, n) =>
      test.ask(`/api/ratings.atom?agree=${n}`, {}, { client: '192.0.2.1' }),
    )
    await expect.poll(() => begun).toBe(2)
    const page = await test.ask('/api/ratings?user=1', {}, { client: '192.0.2.2' })
    expect([page.status, begun]).toEqual([200, 2])
    release()
    for (const feed of feeds) expect((await feed).status).toBe(200)
    expect(begun).toBe(8)
  } finally {
    keptRows.select = select
  }
})
