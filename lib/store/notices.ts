import type { Database, Transaction } from './connection.ts'

/** What one node tells the others of; each reads for itself what became of it. */
const NOTICES = ['generation', 'status', 'event', 'document', 'edition', 'wish', 'node'] as const
export type Notice = (typeof NOTICES)[number]

const CHANNEL = 'bellwether'

/** Tells every node. Within a transaction, once it is committed. */
export async function tell(sql: Database | Transaction, notice: Notice): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${notice})`
}

/**
 * Hears what the nodes tell, this one too; `onListening` each time that listening begins anew, since what was told in between
 * is lost. Gives what ends it. It reconnects by itself; where a pooler stands in between, nothing may ever come.
 */
export async function listen(
  sql: Database,
  onNotice: (notice: Notice) => void,
  onListening: () => void,
): Promise<() => Promise<void>> {
  const { unlisten } = await sql.listen(
    CHANNEL,
    (payload) => {
      const notice = NOTICES.find((one) => one === payload)
      if (notice) onNotice(notice)
    },
    onListening,
  )
  return unlisten
}
