import { join } from 'node:path'
import { setTimeout as sleepMs } from 'node:timers/promises'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { inspectFile } from '#lib/archive/lifecycle/integrity-check.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { Rating } from '#lib/contract/rating.ts'
import { readTextFile, replaceFile } from '#lib/files/json-file.ts'
import { DATA_FILES, toServiceName } from '#lib/server/environment/data-folder.ts'
import { type Env, parseEnv } from '#lib/server/environment/env.ts'
import { createUpstream } from '#lib/upstream/client.ts'
import { createHttpTransport } from '#lib/upstream/http-transport.ts'
import { openLedger } from '#lib/upstream/ledger.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import { type CommandContext, LIMITS, Problem, toCount } from './command.ts'

/** Numbers of the pages read until one lists ratings that the archive holds. */
const PAGES = [1, 2, 4, 8, 16]
const SHARED_ROWS = 5

/**
 * Binds the folder to a new address after comparing ratings. Throws Problem or AppError with
 * nothing changed.
 */
export async function moveService(hand: CommandContext, argument: string): Promise<void> {
  const { dataDir, path, databaseUrl, environment, print } = hand
  const file = join(dataDir, DATA_FILES.owner)
  const before = (await readTextFile(file))?.trim() ?? ''
  const { baseUrl, ...env } = toEnv(environment, argument)
  const after = toServiceName(baseUrl)
  if (!URL.canParse(before))
    throw new Problem('DATA_DIR does not belong to a service at an address.')
  if (before === after) return print(`DATA_DIR already belongs to ${after}.`)
  const { is } = await inspectFile(path, LIMITS)
  if (is !== 'current') throw new Problem('The archive cannot be compared: start, or run check.')
  const equal = await compare(hand, { ...env, baseUrl })
  if (databaseUrl !== null) await moveShared(databaseUrl, { before, after })
  await replaceFile(file, `${after}\n`)
  print(`${toCount(equal)} ratings compared: all equal. DATA_DIR now belongs to ${after}.`)
  print(`Set RATINGS_BASE_URL to that address and start.`)
}

type ServiceEnv = Pick<Env, 'apiKey' | 'keyIn' | 'perMinute' | 'perMonth'> & { baseUrl: URL }

function toEnv(environment: Record<string, string | undefined>, address: string): ServiceEnv {
  const parsed = parseEnv({ ...environment, RATINGS_BASE_URL: address })
  if (!parsed.ok) throw new Problem(parsed.problems.join('\n'))
  const { baseUrl, apiKey, keyIn, perMinute, perMonth } = parsed.env
  if (!baseUrl) throw new Problem('Name the new address of the service.')
  return { baseUrl, apiKey, keyIn, perMinute, perMonth }
}

async function compare({ dataDir, path, now }: CommandContext, env: ServiceEnv): Promise<number> {
  const transport = createHttpTransport()
  const ledger = await openLedger({ file: join(dataDir, DATA_FILES.ledger), now })
  const engine = await openEngine({ ...LIMITS, path, isReadOnly: true })
  const upstream = createUpstream({
    ...env,
    key: env.apiKey ?? '',
    kind: 'remote',
    transport,
    ledger,
    limits: env,
    now,
    nowMs: () => performance.now(),
    sleep: async (ms, signal) => await sleepMs(ms, undefined, { signal }),
    random: Math.random,
  })
  const selectStored = async (ids: readonly number[]): Promise<StoredRating[]> =>
    ids.length === 0
      ? []
      : await engine.writer.db
          .selectFrom('rating')
          .select(['id', 'user_id', 'symbol', 'created_at'])
          .where('id', 'in', ids)
          .execute()
  try {
    return await comparePages(upstream, selectStored)
  } finally {
    await engine.close()
    await ledger.close()
    await transport.close()
  }
}

type StoredRating = Pick<Rating, 'id' | 'user_id' | 'symbol' | 'created_at'>

/** Votes and texts may change; who rated what and when does not. */
async function comparePages(
  upstream: Upstream,
  selectStored: (ids: readonly number[]) => Promise<StoredRating[]>,
): Promise<number> {
  let equal = 0
  for (const number of PAGES) {
    const { rows } = await readPage(upstream, number)
    const listed = new Map(rows.flatMap((row) => (row.ok ? [[row.rating.id, row.rating]] : [])))
    const stored = await selectStored([...listed.keys()])
    const different = stored.filter((one) => !isSameRating(one, listed.get(one.id)))
    if (different.length > 0) {
      const count = `${different.length} of ${stored.length}`
      throw new Problem(`It is a different service: ${count} ratings with the same number differ.`)
    }
    equal += stored.length
    if (equal >= SHARED_ROWS || rows.length === 0) break
  }
  if (equal > 0) return equal
  throw new Problem('No rating of the archive was found at this address. Nothing was changed.')
}

const isSameRating = (stored: StoredRating, listed: StoredRating | undefined) =>
  stored.user_id === listed?.user_id &&
  stored.symbol === listed.symbol &&
  stored.created_at === listed.created_at

/** Some services answer an error past their last page. */
async function readPage(upstream: Upstream, number: number) {
  try {
    return await upstream.fetchPage(number)
  } catch (error) {
    const isPastEnd = error instanceof AppError && error.fault === 'upstream_contract'
    if (isPastEnd && number > 1) return { rows: [] }
    throw error
  }
}

async function moveShared(url: string, service: { before: string; after: string }): Promise<void> {
  const { parseDatabaseUrl } = await import('#lib/store/address.ts')
  const { connect, toStoreError } = await import('#lib/store/connection.ts')
  const { moveService: moveInStore } = await import('#lib/store/pulse.ts')
  const parsed = parseDatabaseUrl(url)
  if (!parsed.ok) throw new Problem(`DATABASE_URL ${parsed.problem}.`)
  const sql = connect({ address: parsed.address, applicationName: 'bellwether archive' })
  try {
    await moveInStore(sql, service)
  } catch (error) {
    throw error instanceof AppError ? error : toStoreError(error)
  } finally {
    await sql.end({ timeout: 2 })
  }
}
