import { beforeAll, expect, it } from 'vitest'
import type { Respond } from '#lib/api/endpoint.ts'
import { selectListed } from '#lib/archive/lists/listing.ts'
import { anonymousCaller } from '#lib/contract/caller.ts'
import { parseEnv } from '#lib/server/environment/env.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'
import { respondSitemap, respondSitemapPart, toRobots, toStretches } from './indexing.ts'

const envOf = (source: Record<string, string>) => {
  const parsed = parseEnv(source)
  if (!parsed.ok) throw new Error(parsed.problems.join())
  return parsed.env
}

const listed = envOf({ INDEXING: 'on', PUBLIC_URL: 'https://ratings.example' })

it('search engines are welcome only where the operator says so and under which address', () => {
  expect(envOf({})).toMatchObject({ isIndexed: false, publicUrl: null })
  expect(listed).toMatchObject({ isIndexed: true, publicUrl: new URL('https://ratings.example') })
  expect(parseEnv({ INDEXING: 'on' })).toMatchObject({ ok: false })
  expect(parseEnv({ PUBLIC_URL: 'https://ratings.example/path' })).toMatchObject({ ok: false })
  expect(toRobots(new URL('https://ratings.example'))).toContain(
    '\nSitemap: https://ratings.example/sitemap.xml\n',
  )
})

it('the public name is one of those that are served', () => {
  const { allowedHosts } = envOf({ PUBLIC_URL: 'https://Ratings.example:8443' })
  expect(allowedHosts).toContain('ratings.example')
  const wide = { HOST: '0.0.0.0', ACCESS: 'open', PUBLIC_URL: 'https://ratings.example' }
  expect(envOf(wide).allowedHosts).toBeNull()
})

it('the parts of a list of lists hold each of its entries once', () => {
  const parts = [1, 2, 3, 4].map((part) => toStretches([5, 9, 2], part, 6))
  const entries = parts.flatMap((stretches) =>
    stretches.flatMap(({ offset, limit }, list) =>
      Array.from({ length: limit }, (_, index) => `${list}:${offset + index}`),
    ),
  )
  expect(new Set(entries).size).toBe(16)
  expect(entries).toHaveLength(16)
  expect(parts.map((stretches) => stretches.reduce((sum, { limit }) => sum + limit, 0))).toEqual([
    6, 6, 4, 0,
  ])
})

let test: TestApi
beforeAll(async () => {
  test = await openTestApi({ ratings: 300 })
  await test.fill()
  return test.close
})

it('the sitemap names every symbol and user by its one address, and does not exist while nothing may be listed', async () => {
  const respond = (path: string, respond: Respond) =>
    test.api.respondWith(
      new Request(`http://test${path}`),
      { permission: 'read', respond },
      { caller: anonymousCaller, client: '' },
    )
  const response = await respond('/sitemap.xml', respondSitemap(listed))
  const xml = await response.text()
  const found = Array.from(xml.matchAll(/<loc>([^<]+)<\/loc>/g), (match) => match[1])
  const symbols = await selectListed(
    test.archive.reader,
    { kind: 'symbol', offset: 0, limit: 9999 },
    { at: test.clock.now },
  )
  expect(found).toContain('https://ratings.example/')
  expect(found.filter((loc) => loc?.includes('/symbols/'))).toEqual(
    symbols.rows.map(({ name }) => `https://ratings.example/symbols/${encodeURIComponent(name)}`),
  )
  expect(new Set(found).size).toBe(found.length)
  expect(found.some((loc) => loc?.includes('/users/'))).toBe(true)
  const part = (file: string) => respond(`/sitemaps/${file}`, respondSitemapPart(listed))
  expect(await (await part('1.xml')).text()).toBe(xml)
  expect((await part('2.xml')).status).toBe(404)
  expect((await part('0.xml')).status).toBe(404)
  const off = await respond('/sitemap.xml', respondSitemap(envOf({})))
  expect(off.status).toBe(404)
})
