import { type Kysely, sql } from 'kysely'
import Papa from 'papaparse'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { ArchiveReader } from '#lib/archive/reader.ts'
import { FREE_TEXTS, MAYBE_NUMBERS, toFormulaSafe } from '#lib/contract/export-choice.ts'
import { PREDICTION_PATTERN } from '#lib/contract/rating-fields.ts'
import { type ArchiveState, loadGaps, upToNow } from './archive-state.ts'

/** A row as one line of text. `csv` guards what a spreadsheet takes for a formula, `csv-exact` does not. */
export type LineForm = 'csv' | 'csv-exact' | 'json'

/** All rows of a query, counted in the snapshot that they are written from. */
export type OpenExport = {
  rows: number
  generation: number
  completeTo: number | null
  /** Ids that are missing without an explanation. */
  gaps: number
  /** Gives the snapshot back and ends what still runs. May be called again. */
  close(): Promise<void>
}

/** The commit that a snapshot reads, and what is missing in it. */
export async function selectJournal(
  db: Kysely<Tables>,
  { state, now }: Pick<ArchiveReader, 'state' | 'now'>,
) {
  const journal = await db
    .selectFrom('journal')
    .select(['generation', 'complete_to'])
    .executeTakeFirstOrThrow()
  return {
    generation: journal.generation,
    completeTo: upToNow(journal.complete_to, now()),
    gaps: await countGaps(db, journal.generation, state()),
  }
}

/** The state in memory may be of another commit than the snapshot. */
async function countGaps(
  db: Kysely<Tables>,
  generation: number,
  known: ArchiveState,
): Promise<number> {
  if (known.generation === generation) return known.gaps.unexplained
  return (await loadGaps(db)).gaps.unexplained
}

/** Names and texts as the pairs of a map literal. */
export const toPairs = (facts: Readonly<Record<string, string>>) =>
  sql.join(Object.entries(facts).map(([name, fact]) => sql`${sql.ref(name)}: ${sql.lit(fact)}`))

const BATCH = 1024

/** Rows that are held, as lines of a form. */
export async function* toLines<C extends string>(
  rows: readonly Partial<Record<C, string | number | null>>[],
  form: LineForm,
  columns: readonly C[],
): AsyncGenerator<string[], void, undefined> {
  const toLine = form === 'json' ? toObject : toRecord(form === 'csv')
  for (let from = 0; from < rows.length; from += BATCH) {
    yield rows.slice(from, from + BATCH).map((row) => toLine(row, columns))
  }
}

type AnyCells = Partial<Record<string, string | number | null>>

const toObject = (row: AnyCells, columns: readonly string[]): string =>
  JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name] ?? null])))

/** What a field held may be a number that begins with its sign: that stays one. */
const isNumber = (name: string, value: string): boolean =>
  MAYBE_NUMBERS.has(name) && PREDICTION_PATTERN.test(value)

/** Only a symbol may be anything: the rest are figures and times. What was made safe stands in quotes, as in other files. */
const toRecord = (isGuarded: boolean) => (row: AnyCells, columns: readonly string[]) => {
  const given = columns.map((name) => row[name] ?? null)
  const safe = columns.map((name, index) => {
    const value = given[index] ?? null
    const isText = FREE_TEXTS.has(name) && typeof value === 'string' && !isNumber(name, value)
    return isText && isGuarded ? toFormulaSafe(value) : value
  })
  const quotes = safe.map((value, index) => value === '' || value !== given[index])
  return Papa.unparse([safe], { quotes })
}
