import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Archive } from '#lib/archive/archive.ts'
import { takeLock } from '#lib/archive/lifecycle/archive-files.ts'
import { inspectFile } from '#lib/archive/lifecycle/integrity-check.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { readTextFile } from '#lib/files/json-file.ts'
import { carryRecords } from '#lib/nodes/leader-records.ts'
import { carryAccess } from '#lib/server/access/shared-access.ts'
import { DATA_FILES } from '#lib/server/environment/data-folder.ts'
import { parseDatabaseUrl, toPlainAddress } from '#lib/store/address.ts'
import { connect, type Database, toStoreError } from '#lib/store/connection.ts'
import { createDocuments } from '#lib/store/documents.ts'
import { publishEditions, selectEditionsState } from '#lib/store/edition-files.ts'
import { writeCommit } from '#lib/store/generations.ts'
import { LEASE_SECONDS, type Lease, releaseLease, renewLease, takeLease } from '#lib/store/lease.ts'
import { claimService } from '#lib/store/pulse.ts'
import { carrySpent } from '#lib/store/request-ledger.ts'
import { migrateStore, requireEmptyStore } from '#lib/store/schema.ts'
import { IMPORTED_FILE, listEditions } from '#lib/sync/editions/edition-store.ts'
import { readSpent, toMonth } from '#lib/upstream/ledger.ts'
import { type CommandContext, LIMITS, Problem, toCount } from './command.ts'

/**
 * Ratings go last, in one transaction, so that an interrupted run can be repeated. Throws Problem
 * or AppError.
 */
export async function shareArchive(hand: CommandContext): Promise<void> {
  const { dataDir, path, print, now } = hand
  await requireSound(path)
  const address = toAddress(hand.databaseUrl)
  const service = await readService(dataDir)
  const sql = connect({ address, connections: 2, applicationName: 'bellwether archive share' })
  const held: { lease: Lease | null } = { lease: null }
  const archive = await openArchive({
    path,
    now,
    ...LIMITS,
    async share(commit) {
      if (!held.lease) throw new Problem('Nothing may be shared yet.')
      return await writeCommit(sql, held.lease, { commit, mark: randomBytes(12).toString('hex') })
    },
  })
  try {
    if (archive.state().ratings === 0) throw new Problem('The archive has no ratings to share.')
    await inLease(sql, service, async (lease) => {
      held.lease = lease
      await carryAll(hand, { sql, lease })
      await carryRatings(archive, print)
    })
    print(
      `Everything is in ${toPlainAddress(address)}. Set DATABASE_URL to that address on every node.`,
    )
    print('One node can keep this folder as its DATA_DIR.')
  } catch (error) {
    throw isOfDriver(error) ? toStoreError(error) : error
  } finally {
    await archive.close()
    await sql.end({ timeout: 2 })
  }
}

const isOfDriver = (error: unknown) => error instanceof Error && 'code' in error

function toAddress(url: string | null) {
  if (url === null) throw new Problem('Say in DATABASE_URL which database is to be shared.')
  const parsed = parseDatabaseUrl(url)
  if (!parsed.ok) throw new Problem(`DATABASE_URL ${parsed.problem}.`)
  return parsed.address
}

async function readService(dataDir: string): Promise<string> {
  const service = (await readTextFile(join(dataDir, DATA_FILES.owner)))?.trim() ?? ''
  if (URL.canParse(service)) return service
  throw new Problem(
    service === ''
      ? `${DATA_FILES.owner} does not say whose ratings these are.`
      : 'These are the ratings of an embedded service, which belongs to one process.',
  )
}

/** Opening a damaged archive would set it aside. */
async function requireSound(path: string): Promise<void> {
  const lock = await takeLock(path)
  try {
    const { is } = await inspectFile(path, LIMITS)
    if (is === 'absent') throw new Problem('There is no archive to share.')
    if (is === 'damaged') throw new Problem('The archive is damaged: see npm run archive -- check.')
  } finally {
    lock.release()
  }
}

/** Throws Problem if another process holds the lease. */
async function inLease(
  sql: Database,
  service: string,
  work: (lease: Lease) => Promise<void>,
): Promise<void> {
  await migrateStore(sql)
  await requireEmptyStore(sql, service)
  const lease = await takeLease(sql, 'archive share')
  if (!lease) {
    throw new Problem(
      `Somebody works on the shared database, or did within ${LEASE_SECONDS} s: stop all nodes, and try again then.`,
    )
  }
  const renewing = setInterval(
    () => void renewLease(sql, lease).catch(() => undefined),
    (LEASE_SECONDS / 3) * 1000,
  )
  try {
    await claimService(sql, service)
    await work(lease)
  } finally {
    clearInterval(renewing)
    await releaseLease(sql, lease).catch(() => undefined)
  }
}

type Sharing = { sql: Database; lease: Lease }

async function carryAll({ dataDir, now, print }: CommandContext, { sql, lease }: Sharing) {
  const at = (name: keyof typeof DATA_FILES) => join(dataDir, DATA_FILES[name])
  const documents = createDocuments({ sql })
  const [older, newer] = [await readTextFile(`${at('runs')}.1`), await readTextFile(at('runs'))]
  await carryRecords(documents, lease, {
    discovery: await readTextFile(at('discovery')),
    runs: older === null && newer === null ? null : `${older ?? ''}\n${newer ?? ''}`,
    imported: await readTextFile(join(at('editions'), IMPORTED_FILE)),
    pause: await readTextFile(at('pause')),
  })
  // Prevents repeated alerts.
  for (const name of ['rules', 'state']) {
    const kept = await readTextFile(join(at('alerts'), `${name}.json`))
    if (kept !== null) await documents.save(`alerts.${name}`, kept, { lease })
  }
  const from = toMonth(now())
  const spent = await readSpent(at('ledger'), now())
  await carrySpent(sql, lease, { ...spent, from })
  print(`${toCount(spent.months.get(from)?.all ?? 0)} requests of this month`)
  const access = await carryAccess(at('access'), { documents, lease })
  if (access === 'kept') print('Accounts: the shared database keeps its own')
  else if (access) {
    const { accounts, sessions, tokens } = access
    print(
      `Accounts: ${toCount(accounts)}, sessions: ${toCount(sessions)}, tokens: ${toCount(tokens)}`,
    )
  }
  const listing = await listEditions(at('editions'))
  const known = await selectEditionsState(sql)
  const { unread } = await publishEditions(sql, lease, listing, { known })
  print(`Dumps: ${toCount(listing.length - unread.length)}`)
  for (const name of unread) print(`! ${name} does not match its SHA-256 and was not copied`)
}

/** An empty import publishes the whole archive. */
async function carryRatings(archive: Archive, print: (line: string) => void): Promise<void> {
  if (archive.applied()) await archive.leave()
  await archive.import({ kind: 'pages', name: 'share' }, async () => ({ completeTo: null }))
  const { ratings, vanished, quarantined, generation } = archive.state()
  print(
    `${toCount(ratings)} ratings (${toCount(vanished)} no longer listed), ${toCount(quarantined)} rows in quarantine, generation ${toCount(generation)}`,
  )
}
