import { type Kysely, sql } from 'kysely'
import Papa from 'papaparse'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { ArchiveReader } from '#lib/archive/reader.ts'
import { FREE_TEXTS, toFormulaSafe } from '#lib/contract/export-choice.ts'
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
  isText = isFreeText,
): AsyncGenerator<string[], void, undefined> {
  const toLine = form === 'json' ? toObject : toRecord(form === 'csv' ? isText : null)
  for (let from = 0; from < rows.length; from += BATCH) {
    yield rows.slice(from, from + BATCH).map((row) => toLine(row, columns))
  }
}

type AnyCells = Partial<Record<string, string | number | null>>

const toObject = (row: AnyCells, columns: readonly string[]): string =>
  JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name] ?? null])))

/** Whether a spreadsheet may take the text of a column for a formula. */
export type IsText = (name: string, text: string) => boolean

const isFreeText: IsText = (name) => FREE_TEXTS.has(name)

/** Guarded texts are quoted, as in other files. */
const toRecord = (isText: IsText | null) => (row: AnyCells, columns: readonly string[]) => {
  const given = columns.map((name) => row[name] ?? null)
  const safe = columns.map((name, index) => {
    const value = given[index] ?? null
    return typeof value === 'string' && isText?.(name, value) ? toFormulaSafe(value) : value
  })
  const quotes = safe.map((value, index) => value === '' || value !== given[index])
  return Papa.unparse([safe], { quotes })
}
