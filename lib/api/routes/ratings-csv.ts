import Papa from 'papaparse'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { toInstantText } from '#lib/contract/instant-text.ts'
import { RATING_FIELDS } from '#lib/contract/rating.ts'
import { ratingsQuery } from '#lib/contract/ratings-query.ts'
import { readParameters } from '../read-parameters.ts'
import type { Route } from '../route.ts'
import { toByteStream } from '../text-stream.ts'

const COLUMNS = [...RATING_FIELDS, 'previous_rating', 'previous_prediction', 'state'] as const
const NEWLINE = '\r\n'
/** What makes a spreadsheet take a cell for a formula. Numbers keep their sign: only texts are guarded. */
const FORMULA = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/
const TEXTS = new Set<string>(['symbol', 'rating_label', 'action_label'])

/** Every matching row, streamed; `page` and `per_page` do not count here. */
export const ratingsCsvRoute: Route = {
  kind: 'raw',
  method: 'GET',
  pattern: '/api/ratings.csv',
  handle: async ({ deps, params, request }) => {
    const query = readParameters(ratingsQuery, params)
    const at = deps.now()
    const batches = deps.archive.streamRatings(query, { at, signal: request.signal })
    const name = `ratings-${toInstantText(query.asof ?? at).replaceAll(':', '')}.csv`
    return new Response(toByteStream(toCsv(batches)), {
      headers: {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'private, no-store, no-transform',
      },
    })
  },
}

async function* toCsv(batches: AsyncIterable<RatingRow[]>): AsyncGenerator<string> {
  yield COLUMNS.join(',') + NEWLINE
  for await (const rows of batches) {
    yield Papa.unparse(rows.map(toCells), { newline: NEWLINE }) + NEWLINE
  }
}

const toCells = (row: RatingRow) =>
  COLUMNS.map((name) => {
    const value = row[name]
    return TEXTS.has(name) && FORMULA.test(String(value)) ? `'${value}` : value
  })
