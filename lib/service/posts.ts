import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import { type Cell, type Database, quoteText } from './database.ts'

export const PAGE_SIZE = 100

/** A rating object of a page: the 15 fields in their order. */
export type PostRow = Record<string, Cell>

/** The community's ratings and look-ups, from whichever source. Instants are seconds since 1970. */
export type Posts = {
  /** Page `number` (from 1) of all ratings as they stand at `at`, newest first by id; none past the end. */
  page(number: number, at: number): Promise<PostRow[]>
  /** Brings ratings in that have arrived by `at`. Cheap when none has. */
  catchUp(at: number): Promise<void>
  /** Writes a dump as of `at` to a new file. */
  writeDump(kind: DumpKind, at: number, path: string): Promise<void>
  close(): void
}

const FIELD_LIST = RATING_FIELDS.join(', ')

/**
 * A page out of a query that gives the 15 fields and a dense `position` from 1. The range of positions is what makes
 * page 100,000 cost what page 1 does.
 */
export async function loadPage(
  database: Database,
  query: string,
  page: { number: number; count: number },
): Promise<PostRow[]> {
  const last = page.count - (page.number - 1) * PAGE_SIZE
  if (last <= 0) return []
  const rows = await database.rows(
    `SELECT ${FIELD_LIST} FROM (${query})
     WHERE position > $1 AND position <= $2 ORDER BY position DESC`,
    [last - PAGE_SIZE, last],
  )
  return rows.map(toPostRow)
}

function toPostRow(cells: readonly Cell[]): PostRow {
  return Object.fromEntries(RATING_FIELDS.map((field, index) => [field, cells[index] ?? null]))
}

/** Writes the ratings of such a query that were created before `at`, oldest first, in the dump layout. */
export async function writePostsDump(
  database: Database,
  query: string,
  dump: { at: number; path: string },
): Promise<void> {
  await writeCsv(
    database,
    `SELECT ${FIELD_LIST} FROM (${query}) WHERE created_at < ${dump.at}`,
    dump.path,
  )
}

/** Writes the rows of a query to a CSV file with a header. The engine does it beside everything else. */
export async function writeCsv(database: Database, query: string, path: string): Promise<void> {
  await database.runLong(`COPY (${query}) TO ${quoteText(path)} (FORMAT csv, HEADER)`)
}
