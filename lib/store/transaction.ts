import type { Database, Transaction } from './connection.ts'

/** Snapshot. */
export const ONE_STATE = 'isolation level repeatable read read only'

/**
 * After a lost connection, the driver would run later statements outside the transaction or crash:
 * they are refused, without a rollback.
 */
export async function transact<T>(
  sql: Database,
  work: (transaction: Transaction) => Promise<T>,
  mode = '',
): Promise<T> {
  const connection = { isLost: false }
  const begun = sql.begin(mode, async (started) => {
    try {
      return { done: await work(guard(started as unknown as Transaction, connection)) }
    } catch (error) {
      // Never settles: the driver would send a rollback.
      if (connection.isLost || isLoss(error)) return await new Promise<never>(() => undefined)
      throw error
    }
  })
  begun.catch(() => {
    connection.isLost = true
  })
  return ((await begun) as { done: T }).done
}

/** Timeout for statements that scan every rating. */
const LONG = '10min'

export async function allowLong(transaction: Transaction): Promise<void> {
  await transaction.unsafe(`set local statement_timeout = '${LONG}'`)
}

const lost = () =>
  Object.assign(new Error('the connection was lost'), { code: 'CONNECTION_CLOSED' })

function guard(transaction: Transaction, connection: { isLost: boolean }): Transaction {
  const check = () => {
    if (connection.isLost) throw lost()
  }
  return new Proxy(transaction, {
    apply(target, self, given) {
      check()
      return Reflect.apply(target, self, given)
    },
    get(target, name) {
      check()
      return Reflect.get(target, name)
    },
  })
}

function isLoss(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  if ('severity' in error) return error.severity === 'FATAL' || error.severity === 'PANIC'
  return /^(CONNECTION_|CONNECT_TIMEOUT|E[A-Z]+$)/.test(String(error.code))
}
