import { AppError } from '#lib/contract/faults.ts'
import type { Database, Transaction } from './connection.ts'
import { tell } from './notices.ts'
import { transact } from './transaction.ts'

/**
 * The right to sync, as long as nobody took it since. `epoch` rises with every taking: it is the fencing token. After a
 * failover that lost the last taking the same number may be given once more, to another holder: both have to agree.
 */
export type Lease = { epoch: number; holder: string }

/** So long a lease holds without being renewed, by the database's clock. */
export const LEASE_SECONDS = 15

/** Takes the lease where nobody holds it any more; null where somebody does. Throws what the driver throws. */
export async function takeLease(sql: Database, holder: string): Promise<Lease | null> {
  const [taken] = await sql<{ epoch: number }[]>`
    update bellwether.lease set holder = ${holder}, epoch = epoch + 1,
      until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    where name = 'sync' and until < clock_timestamp()
    returning epoch`
  return taken ? { epoch: taken.epoch, holder } : null
}

/** Whether it could be renewed: once it could not, somebody else may sync. Throws what the driver throws. */
export async function renewLease(sql: Database, { epoch, holder }: Lease): Promise<boolean> {
  const renewed = await sql`
    update bellwether.lease set until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
    where name = 'sync' and epoch = ${epoch} and holder = ${holder}`
  return renewed.count > 0
}

/** Lets the next node take it at once. Nothing where somebody has taken it. */
export async function releaseLease(sql: Database, { epoch, holder }: Lease): Promise<void> {
  await sql`
    update bellwether.lease set holder = null, until = '-infinity'
    where name = 'sync' and epoch = ${epoch} and holder = ${holder}`
  await tell(sql, 'node')
}

/** Of whoever does not hold the lease, or not any more. */
export const deposed = () => new AppError('not_ready', 'Another node syncs now.')

/**
 * One transaction of whoever holds the lease: what it wrote is there only if the lease is still his when it is to be
 * committed. The lease is looked at first, and locked last, so that a long transaction holds up no renewal. Throws
 * AppError('not_ready') where it is somebody else's, and what `work` and the driver throw.
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
