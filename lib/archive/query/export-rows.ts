import { type Kysely, sql } from 'kysely'
import Papa from 'papaparse'
import type { ArchiveState, LineForm } from '#lib/archive/archive.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { FREE_TEXTS, MAYBE_NUMBERS, toFormulaSafe } from '#lib/contract/export-choice.ts'
import { PREDICTION_PATTERN } from '#lib/contract/rating-fields.ts'
import { loadGaps, upToNow } from './archive-state.ts'

/** The state in memory, and the time in seconds since 1970. */
export type Known = { state: () => ArchiveState; now: () => number }

/** The commit that a snapshot reads, and what is missing in it. */
export async function selectJournal(db: Kysely<Tables>, { state, now }: Known) {
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
