import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Applied, Change, Commit, SharedFiles, SharedState } from '#lib/archive/archive.ts'
import type { ChecksumRanges, RangeChecksum } from '#lib/archive/share/checksums.ts'
import {
  CHECKSUM_DIGITS,
  QUARANTINE_COLUMNS,
  RATING_COLUMNS,
  type SharedColumns,
  toCanonicalSql,
  WRITTEN_COLUMNS,
} from '#lib/archive/share/shared-rows.ts'
import { AppError } from '#lib/contract/faults.ts'
import { type Database, type Transaction, toStoreError } from './connection.ts'
import { fenced, type Lease } from './lease.ts'
import { notify } from './notices.ts'
import { allowLong, ONE_STATE, transact } from './transaction.ts'

type SharedGeneration = { state: SharedState; mark: string; revision: number }

const HISTORY = 100_000

/** One transaction. Throws AppError `not_ready`; the outcome is then unknown. */
export async function writeCommit(
  sql: Database,
  lease: Lease,
  { commit, mark }: { commit: Commit; mark: string },
): Promise<Applied> {
  const { before, state, files } = commit
  try {
    return await fenced(sql, lease, async (transaction) => {
      await allowLong(transaction)
      await refuseBehind(transaction, before)
      if (files.rows !== null) await writeRows(transaction, files.rows)
      if (files.quarantine !== null) {
        await copyIn(transaction, files.quarantine, `quarantine (${toNames(QUARANTINE_COLUMNS)})`)
      }
      await keepNewest(transaction, state.quarantined)
      const revision = before.revision + 1
      await writeState(transaction, { state, mark, revision })
      await transaction`
        insert into bellwether.history (revision, generation, mark, epoch, changed)
        values (${revision}, ${state.generation}, ${mark}, ${lease.epoch}, ${commit.changedRows})`
      await transaction`delete from bellwether.history where revision <= ${revision - HISTORY}`
      await notify(transaction, 'generation')
      const quarantineSeq = await selectSeq(transaction, before.quarantineSeq)
      return { generation: state.generation, mark, revision, quarantineSeq }
    })
  } catch (error) {
    throw toStoreError(error)
  }
}

async function refuseBehind(transaction: Transaction, before: Applied): Promise<void> {
  const [row] = await transaction<{ generation: number; mark: string; revision: number }[]>`
    select generation, mark, revision from bellwether.state for update`
  const isSame =
    row?.generation === before.generation &&
    row.mark === before.mark &&
    row.revision === before.revision
  if (!isSame) throw new AppError('not_ready', 'This node is behind the shared database.')
}

const toNames = ({ names }: SharedColumns) => names.join(', ')

const STORED = `${toNames(WRITTEN_COLUMNS)}, changed`
const EXCLUDED = STORED.split(', ')
  .map((name) => `${name} = excluded.${name}`)
  .join(', ')

async function writeRows(transaction: Transaction, path: string): Promise<void> {
  const found = await transaction`select 1 from bellwether.rating limit 1`
  if (found.length === 0) return await copyIn(transaction, path, `rating (${STORED})`)
  await transaction.unsafe('create temporary table arrived (like bellwether.rating) on commit drop')
  await copyIn(transaction, path, `arrived (${STORED})`, 'pg_temp')
  await transaction.unsafe(`
    insert into bellwether.rating (${STORED}) select ${STORED} from pg_temp.arrived
    on conflict (id) do update set ${EXCLUDED}`)
}

async function copyIn(
  transaction: Transaction,
  path: string,
  target: string,
  schema = 'bellwether',
): Promise<void> {
  const query = transaction.unsafe(`copy ${schema}.${target} from stdin (format csv)`)
  const refused = whenRefused(query)
  const into: Writable = await Promise.race([query.writable(), refused])
  const sent = pipeline(createReadStream(path, { highWaterMark: PIECE_BYTES }), into)
  await Promise.race([sent, refused])
}

/**
 * Never resolves. porsager/postgres#1173: a refusal after the last byte reaches only the query, and
 * the stream hangs.
 */
function whenRefused(query: object): Promise<never> {
  const refused = new Promise<never>((_, refuse) => {
    const reject: unknown = Reflect.get(query, 'reject')
    if (typeof reject !== 'function') throw new Error('the driver has another way to refuse')
    const tell = (error: unknown) => {
      Reflect.apply(reject, query, [error])
      refuse(error)
    }
    Reflect.set(query, 'reject', tell)
  })
  refused.catch(() => undefined)
  return refused
}

const PIECE_BYTES = 256 * 1024

const keepNewest = async (transaction: Transaction, rows: number) => {
  await transaction`
    delete from bellwether.quarantine where seq in (
      select seq from bellwether.quarantine order by quarantined_at desc, seq desc offset ${rows}
    )`
}

async function writeState(transaction: Transaction, { state, mark, revision }: SharedGeneration) {
  await transaction`
    update bellwether.state set generation = ${state.generation}, mark = ${mark},
      revision = ${revision}, complete_to = ${state.completeTo},
      covered_to_id = ${state.coveredToId}, covered_at = ${state.coveredAt},
      quarantine_dropped = ${state.quarantineDropped}`
}

async function selectSeq(transaction: Transaction, before: number): Promise<number> {
  const [row] = await transaction<{ seq: number | null }[]>`
    select max(seq) as seq from bellwether.quarantine`
  return Math.max(before, row?.seq ?? 0)
}

export async function selectShared(sql: Database): Promise<SharedGeneration> {
  try {
    return await readShared(sql)
  } catch (error) {
    throw toStoreError(error)
  }
}

type SharedRow = SharedState & { mark: string; revision: number }

async function readShared(sql: Database | Transaction): Promise<SharedGeneration> {
  const [row] = await sql<SharedRow[]>`
    select generation, mark, revision, complete_to as "completeTo",
      covered_to_id as "coveredToId", covered_at as "coveredAt",
      quarantine_dropped as "quarantineDropped",
      (select count(*) from bellwether.quarantine) as quarantined
    from bellwether.state`
  if (!row) throw new AppError('not_ready', 'The shared database has lost its state.')
  const { mark, revision, ...state } = row
  return { state, mark, revision }
}

type ReadChangesOptions = {
  /** Must exist and be private. */
  folder: string
  signal?: AbortSignal | undefined
}

/**
 * One snapshot; null if nothing is newer. Returns everything if the database does not know `over`.
 * The caller deletes the files. Throws AppError `not_ready`.
 */
export async function readChanges(
  sql: Database,
  over: Applied | null,
  { folder, signal }: ReadChangesOptions,
): Promise<Change | null> {
  try {
    const now = await readShared(sql)
    if (now.revision === 0 || isAt(now, over)) return null
    return await inSnapshot(sql, async (transaction) => {
      const shared = await readShared(transaction)
      const isWhole = over === null || !(await knows(transaction, over))
      const { generation, quarantineSeq } = isWhole || !over ? NOTHING : over
      const files = await copyFiles(transaction, { generation, quarantineSeq }, { folder, signal })
      const { state, mark, revision } = shared
      const seq = await selectSeq(transaction, isWhole ? 0 : quarantineSeq)
      const applied = { generation: state.generation, mark, revision, quarantineSeq: seq }
      return { over, isWhole, state, files, applied }
    })
  } catch (error) {
    throw toStoreError(error)
  }
}

const NOTHING = { generation: -1, quarantineSeq: -1 }

const isAt = ({ mark, revision }: SharedGeneration, applied: Applied | null): boolean =>
  applied?.mark === mark && applied.revision === revision

const inSnapshot = async <T>(sql: Database, read: (transaction: Transaction) => Promise<T>) =>
  await transact(
    sql,
    async (transaction) => {
      await allowLong(transaction)
      return await read(transaction)
    },
    ONE_STATE,
  )

async function knows(transaction: Transaction, { mark, revision }: Applied): Promise<boolean> {
  const found = await transaction`
    select 1 from bellwether.history where revision = ${revision} and mark = ${mark}`
  return found.length > 0
}

async function copyFiles(
  transaction: Transaction,
  { generation, quarantineSeq }: Pick<Applied, 'generation' | 'quarantineSeq'>,
  { folder, signal }: ReadChangesOptions,
): Promise<SharedFiles> {
  const [rows, quarantine] = [join(folder, 'rows.csv'), join(folder, 'quarantine.csv')]
  const rating = `rating where changed > ${generation}`
  const kept = `quarantine where seq > ${quarantineSeq} order by seq`
  const hasRows = await copyOut(transaction, [RATING_COLUMNS, rating], { path: rows, signal })
  const more = { path: quarantine, signal }
  const hasMore = await copyOut(transaction, [QUARANTINE_COLUMNS, kept], more)
  return { rows: hasRows ? rows : null, quarantine: hasMore ? quarantine : null }
}

async function copyOut(
  transaction: Transaction,
  [columns, from]: [SharedColumns, string],
  { path, signal }: { path: string; signal: AbortSignal | undefined },
): Promise<boolean> {
  const query = transaction.unsafe(`
    copy (select ${toNames(columns)} from bellwether.${from})
    to stdout (format csv, force_quote (${columns.texts.join(', ')}))`)
  const source: Readable = await query.readable()
  return await cancellable(query, signal, async () => (await drain(source, path)) > 0)
}

async function cancellable<T>(
  query: { cancel(): void },
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const cancel = () => query.cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    if (signal?.aborted) cancel()
    return await work()
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}

/** An abandoned source blocks its connection forever. */
async function drain(source: Readable, path: string): Promise<number> {
  const file = await open(path, 'w', 0o600)
  let [bytes, failure] = [0, null as unknown]
  try {
    for await (const piece of source as AsyncIterable<Buffer>) {
      if (failure !== null) continue
      await file.writeFile(piece).catch((error: unknown) => {
        failure = error
      })
      bytes += piece.length
    }
  } finally {
    // The driver resumes its socket only on a read.
    source._read(0)
    await file.close()
  }
  if (failure !== null) throw new AppError('not_ready', UNWRITABLE, { cause: failure })
  return bytes
}

const UNWRITABLE = 'Content of the shared database cannot be written to the data folder.'

export type StoreChecksums = Pick<SharedGeneration, 'mark' | 'revision'> &
  ChecksumRanges & { ranges: RangeChecksum[] }

const RANGES = 64

const CANONICAL = toCanonicalSql({
  byteLength: (text) => `octet_length(convert_to(${text}, 'UTF8'))`,
  toShared: (name) => name,
})

/** One snapshot. Throws AppError `not_ready`. */
export async function selectStoreChecksums(
  sql: Database,
  signal?: AbortSignal,
): Promise<StoreChecksums> {
  try {
    return await inSnapshot(sql, async (transaction) => {
      const { mark, revision } = await readShared(transaction)
      const [bounds] = await transaction<{ from: number | null; width: number | null }[]>`
        select min(id) as from, (max(id) - min(id)) / ${RANGES}::bigint + 1 as width
        from bellwether.rating`
      const [from, width] = [bounds?.from ?? 0, bounds?.width ?? 1]
      const query = transaction.unsafe(`
        select range, count(*) as ratings, cast(sum(part) as text) as sum from (
          select (id - (${from})) / ${width} as range,
            ('x' || substr(encode(sha256(convert_to(${CANONICAL}, 'UTF8')), 'hex'), 1, ${CHECKSUM_DIGITS}))::bit(${CHECKSUM_DIGITS * 4})::bigint as part
          from bellwether.rating
        ) as parts
        group by range order by range`)
      const ranges = await cancellable(query, signal, async () => Array.from(await query))
      return { mark, revision, from, width, ranges: ranges as unknown as RangeChecksum[] }
    })
  } catch (error) {
    throw toStoreError(error)
  }
}
