import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import Papa from 'papaparse'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type IncomingRating, parseCsvRating } from '#lib/contract/incoming-rating.ts'
import type { SeriesQuery } from '#lib/contract/other-queries.ts'
import { importRows, openMemory } from './arbitrary.test-support.ts'
import type { Archive } from './archive.ts'
import { deriveRows, keyOf, type OracleRow } from './oracle.test-support.ts'
import { seriesOf } from './series-oracle.test-support.ts'

/** Real ratings in the dump layout, where a checkout has them beside it; they are no part of the project. */
const CSV = resolve('../shared/data/broker-ratings.csv')

const at = (day: string) => Date.parse(day) / 1000
const LATER = at('2100-01-01')

describe.skipIf(!existsSync(CSV))('on a real community', () => {
  let archive: Archive
  const bySymbol = new Map<string, OracleRow[]>()

  beforeAll(async () => {
    const ratings = readRatings()
    archive = await openMemory()
    await importRows(archive, ratings)
    const groups = new Map<string, IncomingRating[]>()
    for (const one of ratings) {
      const key = keyOf(one.rating)
      groups.set(key, [...(groups.get(key) ?? []), one])
    }
    for (const [key, own] of groups) bySymbol.set(key, deriveRows(own))
  }, 60_000)
  afterAll(async () => await archive?.close())

  const cases: [string, Omit<SeriesQuery, 'asof'>, number][] = [
    ['in full', { bucket: 'auto', from: null, to: null }, LATER],
    ['by weeks as of then', { bucket: 'week', from: at('2018-01-01'), to: null }, at('2021-03-16')],
    ['by days', { bucket: 'day', from: at('2024-07-01'), to: at('2024-09-15') }, LATER],
  ]
  for (const [name, query, instant] of cases) {
    test(`the series of every symbol ${name} is what plain counting gives`, async () => {
      expect(bySymbol.size).toBeGreaterThan(20)
      for (const [key, own] of bySymbol) {
        const asked = { ...query, asof: null }
        const series = await archive.selectSeries(key, asked, { at: instant })
        expect(series, key).toEqual(seriesOf(own, asked, instant))
      }
    }, 60_000)
  }

  function readRatings(): IncomingRating[] {
    const { data } = Papa.parse<string[]>(readFileSync(CSV, 'utf8'), { skipEmptyLines: true })
    const [header = [], ...records] = data
    return records.flatMap((cells) => {
      const parsed = parseCsvRating(header, cells)
      return parsed.ok ? [{ rating: parsed.rating, extra: parsed.extra }] : []
    })
  }
})
