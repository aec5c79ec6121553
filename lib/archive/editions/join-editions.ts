import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Engine, openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { refuseAborted } from '#lib/archive/engine/duckdb-session.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import {
  dropTable,
  type EditionFile,
  findPlainLines,
  type Lines,
  loadLines,
  type ReadRecords,
  selectLast,
  toCells,
  toKeyed,
  toPlaces,
} from './edition-tables.ts'

const MEMORY_LIMIT = '256MB'

export type JoinOptions = {
  before: EditionFile
  after: EditionFile
  readRecords: ReadRecords
  spillPath: string
  signal: AbortSignal
  onRows?: (rows: number) => void
}

/** A line in `pair (key, before_line, after_line)` is null if that edition lacks the row. */
export type EditionJoin = {
  engine: Engine
  before: Lines
  after: Lines
  shared: readonly string[]
}

export type ChangeCounts = { added: number; changed: number; gone: number }

/** Without an `id` column, rows match by text and none counts as changed. */
export async function countChanges(options: JoinOptions): Promise<ChangeCounts> {
  return await withEditionJoin(options, async ({ engine }) => {
    const { db, interruptible } = engine.writer
    const { rows } = await interruptible(
      options.signal,
      async () =>
        await sql<ChangeCounts>`
          select count(*) filter (before_line is null) as added,
            count(*) filter (before_line is not null and after_line is not null) as changed,
            count(*) filter (after_line is null) as gone
          from pair`.execute(db),
    )
    return rows[0] ?? { added: 0, changed: 0, gone: 0 }
  })
}

export async function withEditionJoin<T>(
  options: JoinOptions,
  use: (join: EditionJoin) => Promise<T>,
): Promise<T> {
  const { spillPath, signal } = options
  refuseAborted(signal)
  const engine = await openEngine({
    path: ':memory:',
    memoryLimit: MEMORY_LIMIT,
    threads: 1,
    spillPath,
  })
  try {
    const [before, after] = await loadPair(engine, options)
    const shared = [...new Set(before.header)].filter((name) => after.header.includes(name))
    const join = { engine, before, after, shared }
    await engine.writer.interruptible(signal, async () => await joinPair(engine.writer.db, join))
    return await use(join)
  } finally {
    await engine.close()
  }
}

/** If one edition is not plain, both are parsed, so that lines compare. */
async function loadPair(
  { writer }: Engine,
  { before, after, readRecords, signal, onRows }: JoinOptions,
): Promise<[Lines, Lines]> {
  const plainBefore = await findPlainLines(writer, { ...before, signal })
  if (plainBefore) onRows?.(before.rows)
  const plainAfter = plainBefore && (await findPlainLines(writer, { ...after, signal }))
  if (plainAfter) onRows?.(before.rows + after.rows)
  if (plainBefore && plainAfter) return [plainBefore, plainAfter]
  let rows = 0
  const load = async (table: string, { path }: EditionFile) =>
    await loadLines(writer, table, {
      path,
      readRecords,
      signal,
      onRecords(records) {
        rows += records
        onRows?.(rows)
      },
    })
  return [await load('before_line', before), await load('after_line', after)]
}

async function joinPair(db: Kysely<Tables>, join: EditionJoin): Promise<void> {
  const { shared } = join
  const select = async (table: string, lines: Lines) =>
    toKeyed(shared.includes('id') ? await selectLast(db, table, lines) : lines, shared)
  const before = await select('doubled_before', join.before)
  const after = await select('doubled_after', join.after)
  await sql`
    create table pair as
    select coalesce(after.key, before.key) as key, before.line as before_line, after.line as after_line
    from ${before} as before full join ${after} as after on before.key = after.key
    where ${isDifferent(join)}`.execute(db)
  for (const table of ['before_line', 'after_line', 'doubled_before', 'doubled_after']) {
    await dropTable(db, table)
  }
}

function isDifferent({ before, after, shared }: EditionJoin) {
  const isAlike =
    shared.length === after.header.length && before.header.join() === after.header.join()
  if (isAlike) return sql`before.line is distinct from after.line`
  const select = (lines: Lines, line: RawBuilder<unknown>) =>
    sql`list_select(${toCells(lines, line)}, ${toPlaces(lines, shared)})`
  return sql`before.line is null or after.line is null
    or ${select(before, sql`before.line`)} <> ${select(after, sql`after.line`)}`
}
