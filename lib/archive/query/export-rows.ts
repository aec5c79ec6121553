import { type Kysely, sql } from 'kysely'
import Papa from 'papaparse'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { ArchiveReader } from '#lib/archive/reader.ts'
import { toFormulaSafe } from '#lib/contract/export-choice.ts'
import type { AnyList } from '#lib/contract/lists/define-list.ts'
import { PREDICTION_PATTERN } from '#lib/contract/rating-fields.ts'
import { type ArchiveState, loadGaps, upToNow } from './archive-state.ts'

/** `excel`: CSV without formulas. */
export type LineForm = 'excel' | 'csv' | 'json'

export type OpenExport = {
  rows: number
  generation: number
  completeTo: number | null
  /** Unexplained missing ids. */
  gaps: number
  close(): Promise<void>
}

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

/** Cached state may belong to a different commit. */
async function countGaps(
  db: Kysely<Tables>,
  generation: number,
  known: ArchiveState,
): Promise<number> {
  if (known.generation === generation) return known.gaps.unexplained
  return (await loadGaps(db)).gaps.unexplained
}

export const toPairs = (facts: Readonly<Record<string, string>>) =>
  sql.join(Object.entries(facts).map(([name, fact]) => sql`${sql.ref(name)}: ${sql.lit(fact)}`))

const BATCH = 1024

export async function* toLines<C extends string>(
  rows: readonly Partial<Record<C, string | number | null>>[],
  form: LineForm,
  columns: readonly C[],
  isText: IsText,
): AsyncGenerator<string[], void, undefined> {
  const toLine = form === 'json' ? toObject : toRecord(form === 'excel' ? isText : null)
  for (let from = 0; from < rows.length; from += BATCH) {
    yield rows.slice(from, from + BATCH).map((row) => toLine(row, columns))
  }
}

type AnyCells = Partial<Record<string, string | number | null>>

const toObject = (row: AnyCells, columns: readonly string[]): string =>
  JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name] ?? null])))

type IsText = (name: string, text: string) => boolean

export const toGuard =
  ({ fields }: AnyList): IsText =>
  (name, value) => {
    const { type, mayBeNumber } = fields[name] ?? {}
    return type === 'text' && !(mayBeNumber && PREDICTION_PATTERN.test(value))
  }

const toRecord = (isText: IsText | null) => (row: AnyCells, columns: readonly string[]) => {
  const given = columns.map((name) => row[name] ?? null)
  const safe = columns.map((name, index) => {
    const value = given[index] ?? null
    return typeof value === 'string' && isText?.(name, value) ? toFormulaSafe(value) : value
  })
  const quotes = safe.map((value, index) => value === '' || value !== given[index])
  return Papa.unparse([safe], { quotes })
}
