import type { Database, Transaction } from './connection.ts'

/** A transaction that reads, all of it as of its first statement. */
export const ONE_STATE = 'isolation level repeatable read read only'

/**
 * One transaction: committed when `work` resolves, rolled back when it throws. Throws what `work` and the driver throw.
 *
 * Of a connection that is lost the driver says so at once, but lets `work` go on. Whatever it sent then would be sent by a
 * session that begins anew, outside of any transaction, or by none, which ends the process. So nothing more is sent: each
 * later statement is refused, and not even a rollback goes out, which the server does by itself. `mode` is SQL.
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
      // The driver would send a rollback for an error: it never hears of this one.
      if (connection.isLost || isLoss(error)) return await new Promise<never>(() => undefined)
      throw error
    }
  })
  begun.catch(() => {
    connection.isLost = true
  })
  return ((await begun) as { done: T }).done
}

/** What is asked of all ratings may take so long. */
const LONG = '10min'

/** Lets each statement of a transaction take as long as all ratings need. */
export async function allowLong(transaction: Transaction): Promise<void> {
  await transaction.unsafe(`set local statement_timeout = '${LONG}'`)
}

const lost = () =>
  Object.assign(new Error('the connection was lost'), { code: 'CONNECTION_CLOSED' })

/** The same transaction, as long as its connection is there. */
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

/** Whether an error of the driver says that the session is over: a server's last word, or nothing that a server said. */
function isLoss(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  if ('severity' in error) return error.severity === 'FATAL' || error.severity === 'PANIC'
  return /^(CONNECTION_|CONNECT_TIMEOUT|E[A-Z]+$)/.test(String(error.code))
}
