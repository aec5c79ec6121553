import type { Database } from './connection.ts'

/** Longer than any statement of ours may take at the server, but those that carry all ratings. */
const ANSWER_MS = 20_000

/**
 * What the database answers, or an error as of a connection that is lost. Where a host goes without a word, as with its power,
 * the system holds a connection for dead only after a quarter of an hour, and the driver may come to hold one that it never
 * writes to again: nobody waits so long, and all connections are replaced. What was asked may still be done.
 */
export async function inTime<T>(sql: Database, answer: Promise<T>, ms = ANSWER_MS): Promise<T> {
  const replace = sql.watch()
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      replace()
      reject(Object.assign(new Error('the database does not answer'), { code: 'ETIMEDOUT' }))
    }, ms)
  })
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
