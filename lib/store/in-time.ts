import type { Database } from './connection.ts'

const ANSWER_MS = 20_000

/**
 * The system takes 15 minutes to notice a lost host. On timeout, replaces all connections; the
 * statement may still have run.
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
