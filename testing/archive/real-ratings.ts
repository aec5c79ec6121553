import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import Papa from 'papaparse'
import { type IncomingRating, parseCsvRating } from '#lib/contract/rating.ts'

/** Real ratings in the dump layout, where a checkout has them beside it; they are no part of the project. */
const CSV = resolve('../shared/data/broker-ratings.csv')

/** `npm test` skips them: they take too long. */
export const hasRealRatings = existsSync(CSV) && process.env.TEST_SIZE !== 'core'

/** All rows of the file that are ratings. */
export function readRealRatings(): IncomingRating[] {
  const { data } = Papa.parse<string[]>(readFileSync(CSV, 'utf8'), { skipEmptyLines: true })
  const [header = [], ...records] = data
  return records.flatMap((cells) => {
    const row = parseCsvRating(header, cells)
    return row.ok ? [{ rating: row.rating, extra: row.extra }] : []
  })
}
