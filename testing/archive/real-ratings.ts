import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import Papa from 'papaparse'
import { type IncomingRating, parseCsvRating } from '#lib/contract/rating.ts'

/** Optional real data. */
const CSV = resolve('../shared/data/broker-ratings.csv')

/** Too slow for `npm test`. */
export const hasRealRatings = existsSync(CSV) && process.env.TEST_SIZE !== 'core'

export function readRealRatings(): IncomingRating[] {
  const { data } = Papa.parse<string[]>(readFileSync(CSV, 'utf8'), { skipEmptyLines: true })
  const [header = [], ...records] = data
  return records.flatMap((cells) => {
    const row = parseCsvRating(header, cells)
    return row.ok ? [{ rating: row.rating, extra: row.extra }] : []
  })
}
