import type { Archive } from '#lib/archive/archive.ts'
import { openRatingsExport } from '#lib/archive/ratings/ratings-export.ts'
import type { ReadOptions } from '#lib/archive/reader.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { ROW_COLUMNS } from '#lib/contract/export-choice.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'

export async function* streamRatings(
  archive: Archive,
  query: RatingsQuery,
  options: ReadOptions,
): AsyncGenerator<RatingRow[]> {
  const rows = await openRatingsExport(archive.reader, query, options)
  try {
    for await (const lines of rows.lines('json', ROW_COLUMNS)) {
      yield lines.map((line) => JSON.parse(line) as RatingRow)
    }
  } finally {
    await rows.close()
  }
}
