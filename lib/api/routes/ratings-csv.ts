import Papa from 'papaparse'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { AppError } from '#lib/contract/faults.ts'
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

/** At once. Each holds a snapshot of the archive and some megabytes for as long as its reader takes. */
const EXPORTS_MAX = 16
const RETRY_SECONDS = 10

/** Every matching row, streamed; `page` and `per_page` do not count here. */
export function createRatingsCsvRoute(): Route {
  const running = new Set<symbol>()
  return {
    kind: 'raw',
    method: 'GET',
    pattern: '/api/ratings.csv',
    handle: async ({ deps, params, request }) => {
      const query = readParameters(ratingsQuery, params)
      if (running.size >= EXPORTS_MAX) throw tooMany()
      const at = deps.now()
      const batches = deps.archive.streamRatings(query, { at, signal: request.signal })
      const name = `ratings-${toInstantText(query.asof ?? at).replaceAll(':', '')}.csv`
      const turn = Symbol(name)
      const end = () => running.delete(turn)
      running.add(turn)
      request.signal.addEventListener('abort', end, { once: true })
      return new Response(toByteStream(toCsv(batches), end), {
        headers: {
          'content-type': 'text/csv; charset=utf-8; header=present',
          'content-disposition': `attachment; filename="${name}"`,
          'cache-control': 'private, no-store, no-transform',
        },
      })
    },
  }
}

const tooMany = () =>
  new AppError('busy', `More than ${EXPORTS_MAX} exports at once are too many: try again soon.`, {
    retryAfterSeconds: RETRY_SECONDS,
  })

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
