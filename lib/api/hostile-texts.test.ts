import { parseAtomFeed } from 'feedsmith'
import Papa from 'papaparse'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'
import { importRows, makeRating } from '#testing/archive/arbitrary.ts'
import { HOSTILE_TEXTS } from '#testing/hostile-texts.ts'

const DAY = 86_400

let api: TestApi
let symbols: readonly string[]

beforeAll(async () => {
  api = await openTestApi()
  const now = api.clock.now
  await importRows(
    api.archive,
    HOSTILE_TEXTS.flatMap((text, index) =>
      [1, 5].flatMap((rating, turn) =>
        Array.from({ length: 12 }, (_, user) => {
          const made = makeRating({
            id: index * 24 + turn * 12 + user + 1,
            user_id: user + 1,
            symbol: text,
            rating,
            created_at: now - (20 - turn * 10) * DAY,
          })
          const labels = { rating_label: text, action_label: text }
          return { ...made, rating: { ...made.rating, ...labels }, extra: { [text]: text } }
        }),
      ),
    ),
    now,
  )
  const { data } = await (await api.ask('/api/symbols?per_page=500')).json()
  symbols = data.map(({ symbol }: { symbol: string }) => symbol)
})
afterAll(() => api.close())

function toTexts(xml: string): string {
  const texts = xml.replace('<?xml version="1.0" encoding="utf-8"?>', '')
  return texts.replaceAll(/<\/?\w+(?: \w+="[^"<>]*")*\/?>/g, '')
}

const LIVE =
  /[<>]|&(?!(?:amp|lt|gt|quot|#39);)|(?!\n)\p{Cc}|[\ufffe\uffff\u202a-\u202e\u2066-\u2069]/u

test('each text is a symbol of its own', () => {
  expect(symbols.length).toBeGreaterThan(HOSTILE_TEXTS.length - 5)
})

describe('a feed of hostile texts', () => {
  const load = async (path: string) => {
    const response = await api.ask(path)
    expect(response.status, path).toBe(200)
    return await response.text()
  }

  test('is well-formed, has every entry, and no text of it is markup', async () => {
    const atom = await load('/api/ratings.atom?per_page=500')
    expect(toTexts(atom)).not.toMatch(LIVE)
    const entries = parseAtomFeed(atom).entries ?? []
    expect(entries.length).toBeGreaterThan(100)
  })
})

describe('a file of hostile texts for Excel', () => {
  test.each([
    '/api/ratings.csv?columns=symbol,rating_label,action_label,extra&excel=1',
    '/api/symbols.csv?excel=1',
  ])('has no formula, and every record whole: %s', async (path) => {
    const response = await api.ask(path)
    expect(response.status).toBe(200)
    const { data, errors } = Papa.parse<string[]>(await response.text(), {
      newline: '\r\n',
      skipEmptyLines: true,
    })
    expect(errors).toEqual([])
    expect(new Set(data.map((cells) => cells.length)).size).toBe(1)
    for (const cell of data.flat()) expect(cell).not.toMatch(/(?:^|[;\t\r\n])[=+\-@＝＋－＠]/)
  })

  test('is named in letters that no program takes for anything else', async () => {
    for (const symbol of symbols) {
      const query = new URLSearchParams({ symbol })
      const response = await api.ask(`/api/ratings.csv?${query}`, { method: 'HEAD' })
      if (response.status === 400) continue
      expect(response.status).toBe(200)
      const name = response.headers.get('content-disposition') ?? ''
      expect(name).toMatch(
        /^attachment; filename="[\w.-]{1,60}\.csv"(?:; filename\*=UTF-8''[\w.%-]+\.csv)?$/,
      )
    }
  })
})
