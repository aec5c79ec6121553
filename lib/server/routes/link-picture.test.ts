import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Respond } from '#lib/api/endpoint.ts'
import { runInContext, toSender } from '#lib/server/gate/request-context.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'
import { importRows, makeRating } from '#testing/archive/arbitrary.ts'
import { HOSTILE_TEXTS } from '#testing/hostile-texts.ts'
import { createTestContext } from '#testing/server/request-context.ts'
import { respondLinkPicture } from './link-picture.tsx'

const from = (first: number) =>
  String.fromCodePoint(...Array.from({ length: 28 }, (_, index) => first + index))
/** U+00A1 to U+0180 and U+0400 to U+0453. */
const LETTERS = [
  ...Array.from({ length: 8 }, (_, part) => from(0xa1 + part * 28)),
  ...Array.from({ length: 3 }, (_, part) => from(0x400 + part * 28)),
]
const NAMES = [
  'AAPL',
  '日本🎉',
  ...LETTERS,
  ...HOSTILE_TEXTS.filter((text) => /[<&\]\u202e\uffff(]/.test(text)),
]

let test: TestApi
beforeAll(async () => {
  test = await openTestApi()
  const rows = NAMES.map((symbol, index) => makeRating({ id: index + 1, symbol }))
  await importRows(test.archive, rows, test.clock.now)
})
afterAll(() => test.close())

const respond: Respond = respondLinkPicture()

async function load(file: string, init: RequestInit = {}): Promise<Response> {
  const context = createTestContext()
  const route = { permission: 'read', respond } as const
  const request = new Request(`http://test/api/previews/symbols/${file}`, init)
  return await runInContext(context, () => test.api.respondWith(request, route, toSender(context)))
}

it('draws a picture of 1200 × 630 pixels for a symbol in any case', async () => {
  const response = await load('aapl.png')
  const png = Buffer.from(await response.arrayBuffer())
  expect(response.headers.get('content-type')).toBe('image/png')
  expect(png.toString('latin1', 1, 4)).toBe('PNG')
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630])
  // An image of one color would be smaller.
  expect(png.byteLength).toBeGreaterThan(8000)
  expect(Buffer.from(await (await load('AAPL.png')).arrayBuffer()).equals(png)).toBe(true)
  expect((await load('AAPL.png', { method: 'HEAD' })).status).toBe(200)
})

it('answers 404 for what is not a symbol', async () => {
  for (const file of ['NOSUCH.png', 'AAPL', `${'X'.repeat(99)}.png`]) {
    expect([file, (await load(file)).status]).toEqual([file, 404])
  }
  expect(test.errors).toEqual([])
})

it('draws every name without fetching a font', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch')
  for (const name of NAMES) {
    const response = await load(`${encodeURIComponent(name)}.png`)
    expect(response.status, name).toBe(200)
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0)
  }
  expect(fetched).not.toHaveBeenCalled()
  fetched.mockRestore()
})
