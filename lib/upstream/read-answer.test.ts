import { expect, test } from 'vitest'
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
