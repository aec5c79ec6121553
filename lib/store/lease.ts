import { AppError } from '#lib/contract/faults.ts'
import type { Database, Transaction } from './connection.ts'
import { notify } from './notices.ts'
import { transact } from './transaction.ts'

/**
 * `epoch` is the fencing token. It may repeat after a failover that lost commits: compare both.
 */
export type Lease = { epoch: number; holder: string }

/** Database clock. */
export const LEASE_SECONDS = 15

/** Null if held. */
export async function takeLease(sql: Database, holder: string): Promise<Lease | null> {
  const [taken] = await sql<{ epoch: number }[]>`
    update bellwether.lease set holder = ${holder}, epoch = epoch + 1,
      until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    where name = 'sync' and until < clock_timestamp()
    returning epoch`
  return taken ? { epoch: taken.epoch, holder } : null
}

/** False if lost. */
export async function renewLease(sql: Database, { epoch, holder }: Lease): Promise<boolean> {
  const renewed = await sql`
    update bellwether.lease set until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    where name = 'sync' and epoch = ${epoch} and holder = ${holder}`
  return renewed.count > 0
}

export async function releaseLease(sql: Database, { epoch, holder }: Lease): Promise<void> {
  await sql`
    update bellwether.lease set holder = null, until = '-infinity'
    where name = 'sync' and epoch = ${epoch} and holder = ${holder}`
  await notify(sql, 'node')
}

export const deposed = () => new AppError('not_ready', 'Another node is syncing.')

/**
 * Locks the lease last, so that long transactions do not block renewal. Throws AppError `not_ready`
 * if it is lost.
 */
export async function fenced<T>(
  sql: Database,
  lease: Lease,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return await transact(sql, async (transaction) => {
    await checkEpoch(transaction, lease, false)
    const done = await work(transaction)
    await checkEpoch(transaction, lease, true)
    return done
  })
}

async function checkEpoch(sql: Transaction, lease: Lease, isLast: boolean): Promise<void> {
  const { epoch, holder } = lease
  const rows = await sql`
    select 1 from bellwether.lease where name = 'sync' and epoch = ${epoch} and holder = ${holder}
    ${isLast ? sql`for share` : sql``}`
  if (rows.length === 0) throw deposed()
}
