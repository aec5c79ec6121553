import type { Database, Transaction } from './connection.ts'

const NOTICES = ['generation', 'status', 'event', 'document', 'edition', 'wish', 'node'] as const
export type Notice = (typeof NOTICES)[number]

const CHANNEL = 'bellwether'

/** Sent on commit. */
export async function notify(sql: Database | Transaction, notice: Notice): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${notice})`
}

/**
 * `onListening` runs on each reconnect, since notices in between are lost. None may arrive behind a
 * pooler.
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
