import { Resvg } from '@resvg/resvg-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSymbolPreview, loadUserPreview } from '#components/preview/preview.tsx'
import type { Api } from '#lib/api/create-api.ts'
import type { Respond } from '#lib/api/endpoint.ts'
import { selectListed } from '#lib/archive/lists/listing.ts'
import { runInContext, toSender } from '#lib/server/gate/request-context.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'
import { importRows, makeRating } from '#testing/archive/arbitrary.ts'
import { HOSTILE_TEXTS } from '#testing/hostile-texts.ts'
import { createTestContext } from '#testing/server/request-context.ts'
import { createPreviews, rasterise, respondPreview } from './previews.ts'

const asBytes = async (text: string) => new TextEncoder().encode(text)

describe('what is drawn', () => {
  it('is drawn once for all who ask at a time, and again only when the archive or the hour is another', async () => {
    const clock = { now: 1000 }
    const previews = createPreviews({ rasterise: asBytes, now: () => clock.now })
    let drawn = 0
    const draw = async () => `drawing ${++drawn}`
    const ask = (generation: number) => previews.select('AAPL', generation, draw)
    const [one, other] = await Promise.all([ask(1), ask(1)])
    expect([drawn, other]).toEqual([1, one])
    await ask(2)
    expect(drawn).toBe(1)
    clock.now += 60
    expect((await ask(2)).etag).not.toBe(one.etag)
    expect(drawn).toBe(2)
    clock.now += 899
    await ask(2)
    expect(drawn).toBe(2)
    clock.now += 1
    await ask(2)
    expect(drawn).toBe(3)
  })

  it('is drawn one at a time however many are asked for, and whoever is too many is told so at once', async () => {
    let [atOnce, most] = [0, 0]
    const slow = async (text: string) => {
      atOnce += 1
      most = Math.max(most, atOnce)
      await new Promise((resolve) => setImmediate(resolve))
      atOnce -= 1
      return await asBytes(text)
    }
    const previews = createPreviews({ rasterise: slow, now: () => 0 })
    const asked = await Promise.allSettled(
      Array.from({ length: 10_000 }, (_, index) =>
        previews.select(`S${index}`, 1, async () => 'drawing'),
      ),
    )
    const refused = asked.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(most).toBe(1)
    expect(asked.length - refused.length).toBe(13)
    expect(refused[0]).toMatchObject({ fault: 'busy', retryAfterSeconds: 5 })
    expect((await previews.select('S9999', 1, async () => 'drawing')).png).toHaveLength(7)
  })

  it('is kept in bounded memory', async () => {
    let drawn = 0
    const bytes = 60_000
    const large = async () => new Uint8Array(bytes)
    const previews = createPreviews({ rasterise: large, now: () => 0, maxBytes: 5 * 65_536 })
    const ask = (name: string) => previews.select(name, 1, async () => String(drawn++))
    for (let index = 0; index < 50; index += 1) await ask(`S${index}`)
    await ask('S49')
    expect(drawn).toBe(50)
    await ask('S0')
    expect(drawn).toBe(51)
  })

  it('is asked for again after a failure', async () => {
    const previews = createPreviews({ rasterise: asBytes, now: () => 0 })
    const failing = previews.select('AAPL', 1, async () => {
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect((await previews.select('AAPL', 1, async () => 'drawing')).png).toHaveLength(7)
  })
})

function readPng(png: Uint8Array) {
  const data = Buffer.from(png)
  expect(data.toString('latin1', 1, 4)).toBe('PNG')
  const [width, height] = [data.readUInt32BE(16), data.readUInt32BE(20)]
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image width="${width}" height="${height}" href="data:image/png;base64,${data.toString('base64')}"/></svg>`
  const { pixels } = new Resvg(svg).render()
  const at = (x: number, y: number) => [
    ...pixels.subarray(4 * (y * width + x), 4 * (y * width + x) + 3),
  ]
  return { width, height, at }
}

const DARK = 90

it('letters are drawn on a machine without fonts', async () => {
  const svg = (text: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="30" font-family="Geist"><rect width="60" height="30" fill="#fff"/><text x="2" y="22" font-size="20">${text}</text></svg>`
  const inkOf = async (text: string) => {
    const { width, height, at } = readPng(await rasterise(svg(text)))
    return Array.from({ length: width * height }).filter(
      (_, index) => (at(index % width, Math.floor(index / width))[0] ?? 255) < DARK,
    ).length
  }
  const [nothing, letter, letters, glyph] = [
    await inkOf(''),
    await inkOf('A'),
    await inkOf('AWM'),
    await inkOf('▲▼●'),
  ]
  expect(nothing).toBe(0)
  expect(letter).toBeGreaterThan(20)
  expect(letters).toBeGreaterThan(2 * letter)
  expect(glyph).toBeGreaterThan(letter)
})

const respondTo = async (api: Api, respond: Respond, request: Request) => {
  const context = createTestContext()
  const route = { permission: 'read', respond } as const
  return await runInContext(context, () => api.respondWith(request, route, toSender(context)))
}

const LOAD = { symbols: loadSymbolPreview, users: loadUserPreview }

describe('the pictures of a community', () => {
  let test: TestApi
  beforeAll(async () => {
    test = await openTestApi({ ratings: 2000 })
    await test.fill()
  })
  afterAll(() => test.close())

  const previews = createPreviews({ rasterise, now: () => 0 })
  const respond = respondPreview(previews, LOAD)
  const ask = async (path: string, given: RequestInit = {}) =>
    await respondTo(test.api, respond, new Request(`http://test/api/previews${path}`, given))

  it('are 1200 × 630, by the name in any case, and not sent again to who has them', async () => {
    const response = await ask('/symbols/aapl.png')
    const png = new Uint8Array(await response.arrayBuffer())
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('content-length')).toBe(String(png.byteLength))
    const { width, height, at } = readPng(png)
    expect([width, height, at(0, 0)]).toEqual([1200, 630, [255, 255, 255]])
    const etag = response.headers.get('etag') ?? ''
    expect(etag).toMatch(new RegExp(`^"${test.archive.state().generation}-`))
    const again = await ask('/symbols/AAPL.png', { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await ask('/symbols/AAPL.png', { method: 'HEAD' })).status).toBe(200)
  })

  it('exist for every user, and for nobody and nothing else', async () => {
    const { rows } = await selectListed(
      test.archive.reader,
      { kind: 'user', offset: 0, limit: 1 },
      { at: test.clock.now },
    )
    expect((await ask(`/users/${rows[0]?.name}.png`)).status).toBe(200)
    const missing = ['/symbols/NOSUCH.png', '/symbols/AAPL', '/users/999999.png']
    for (const path of [...missing, '/users/x.png', `/symbols/${'X'.repeat(99)}.png`]) {
      expect([path, (await ask(path)).status]).toEqual([path, 404])
    }
    expect(test.errors).toEqual([])
  })
})

it('a symbol has its picture whatever it is called', async () => {
  const test = await openTestApi()
  try {
    const names = HOSTILE_TEXTS.filter((text) => /[<&\]\u202e\uffff(]/.test(text))
    const rows = names.map((symbol, index) => makeRating({ id: index + 1, symbol }))
    await importRows(test.archive, rows, test.clock.now)
    const previews = createPreviews({ rasterise, now: () => 0 })
    const respond = respondPreview(previews, LOAD)
    for (const name of names) {
      const address = `http://test/api/previews/symbols/${encodeURIComponent(name)}.png`
      const response = await respondTo(test.api, respond, new Request(address))
      expect(response.status, name).toBe(200)
    }
  } finally {
    await test.close()
  }
})
