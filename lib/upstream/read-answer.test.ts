import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRating } from '#lib/contract/rating.ts'
import {
  anEnvelope,
  aRating,
  listen,
  openClient,
  rejection,
} from '#testing/upstream/scripted-service.ts'

const NAME = 'ZÜRICH'
const PAGE = anEnvelope([aRating(1, { symbol: NAME })])

async function open(headers: Record<string, string>, body: string | Buffer) {
  const { baseUrl, requests } = await listen((_, response) =>
    response.writeHead(200, headers).end(body),
  )
  return { ...(await openClient({ baseUrl })), requests }
}

test.each([
  ['application/json'],
  ['application/json; charset=utf-8'],
  ['application/vnd.ratings+json'],
  ['application/problem+json'],
  ['text/plain'],
  ['text/html'],
  ['application/octet-stream'],
  ['nonsense'],
  [''],
])('JSON labeled %j is a page, because the content decides', async (type) => {
  const { upstream } = await open(type === '' ? {} : { 'content-type': type }, PAGE)
  const { rows } = await upstream.fetchPage(1)
  expect(rows[0]).toMatchObject({ ok: true, rating: { symbol: NAME } })
})

const utf16 = Buffer.from(`\ufeff${PAGE}`, 'utf16le')
const NO_UTF8: [string, Buffer][] = [
  ['Latin-1', Buffer.from(PAGE, 'latin1')],
  ['UTF-16', utf16],
  ['UTF-16 the other way round', Buffer.from(utf16).swap16()],
  ['UTF-16 without its mark', Buffer.from(PAGE, 'utf16le')],
  [
    'UTF-8 that is cut in a letter',
    Buffer.from(PAGE.slice(0, PAGE.indexOf('Ü') + 1)).subarray(0, -1),
  ],
  ['half a pair of UTF-16 written as UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ['a letter longer than it has to be', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
]
test.each(NO_UTF8)(
  '%s is refused, never guessed at, whatever charset is named',
  async (_, bytes) => {
    for (const charset of ['', '; charset=iso-8859-1', '; charset=utf-16']) {
      const { upstream, requests } = await open(
        { 'content-type': `application/json${charset}` },
        bytes,
      )
      expect(await rejection(upstream.fetchPage(1))).toMatchObject({ fault: 'upstream_contract' })
      expect(requests).toHaveLength(1)
    }
  },
)

test('a web page is refused before anything in it is parsed, whatever type it says', async () => {
  for (const type of ['text/html', 'application/json', 'text/plain']) {
    for (const body of [
      '<!doctype html><title>Log in</title>',
      '\ufeff \n<html>',
      '<?xml version="1.0"?>',
    ]) {
      const { upstream } = await open({ 'content-type': type }, body)
      expect(await rejection(upstream.fetchPage(1))).toMatchObject({
        fault: 'upstream_contract',
        message: 'The service answered with a web page instead of JSON.',
      })
    }
  }
})

test('keeps the digits of an integer that no number holds, and says that it is too large', async () => {
  const [user, note] = ['9007199254740993', '12345678901234567890']
  const page = anEnvelope([aRating(1, { user_id: 7, note: `"${note}` }), aRating(2, { extra: 8 })])
  const body = page
    .replace('"user_id":7', `"user_id":${user}`)
    .replace('"extra":8', `"extra":-${note}`)
  const { upstream } = await open({}, body)
  const { rows } = await upstream.fetchPage(1)
  const { reason, raw } = rows[0]?.ok === false ? rows[0] : { reason: '', raw: '{}' }
  expect(reason).toBe('user_id: too large')
  expect(JSON.parse(raw)).toMatchObject({ id: 1, user_id: user, note: `"${note}` })
  expect(rows[1]).toMatchObject({ ok: true, extra: { extra: `-${note}` } })
})

test('leaves every other JSON as it is', async () => {
  const part = fc.constantFrom('"', '\\', '\n', ',', ':-1234567890123456789', '}', 'é')
  const text = fc.array(part).map((parts) => parts.join(''))
  const numbers = [9007199254740991, -1234567890123456, 0.1234567890123456, 1e21, 1e-7]
  const value = fc.dictionary(text, text).map((texts) => [texts, ...numbers])
  await fc.assert(
    fc.asyncProperty(value, async (note) => {
      const { upstream } = await open({}, anEnvelope([aRating(1, { note })]))
      const { rows } = await upstream.fetchPage(1)
      expect(rows[0]).toEqual(parseRating(JSON.parse(JSON.stringify(aRating(1, { note })))))
    }),
    { numRuns: 20 },
  )
})
