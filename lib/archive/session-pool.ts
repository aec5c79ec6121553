import { AppError } from '#lib/contract/faults.ts'
import type { Session } from './duckdb-session.ts'

export type Pool = {
  /** Waits for a free session, first come, first served. Throws AppError('busy') when aborted while waiting. */
  use<T>(work: (session: Session) => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Refuses new work and waits for what runs. */
  close(): Promise<void>
}

/** Up to `size` sessions, opened when first needed and kept: a new connection's first query is slow. */
export function createPool(openSession: () => Promise<Session>, size: number): Pool {
  const free: Session[] = []
  const waiting: (() => void)[] = []
  const idle: (() => void)[] = []
  let opened = 0
  let closed = false

  async function take(signal: AbortSignal | undefined): Promise<Session> {
    for (;;) {
      if (closed) throw new AppError('not_ready', 'The archive is closed.')
      const session = free.pop()
      if (session) return session
      if (opened < size) {
        opened += 1
        try {
          return await openSession()
        } catch (error) {
          opened -= 1
          waiting.shift()?.()
          throw error
        }
      }
      await turn(signal)
    }
  }

  async function turn(signal: AbortSignal | undefined): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const withdraw = () => {
        const index = waiting.indexOf(wake)
        if (index >= 0) waiting.splice(index, 1)
        reject(new AppError('busy', 'The question was withdrawn before it was answered.'))
      }
      const wake = () => {
        signal?.removeEventListener('abort', withdraw)
        resolve()
      }
      if (signal?.aborted) return withdraw()
      signal?.addEventListener('abort', withdraw, { once: true })
      waiting.push(wake)
    })
  }

  return {
    async use(work, signal) {
      const session = await take(signal)
      try {
        return await work(session)
      } finally {
        free.push(session)
        waiting.shift()?.()
        if (free.length === opened) for (const tell of idle.splice(0)) tell()
      }
    },
    async close() {
      closed = true
      for (const wake of waiting.splice(0)) wake()
      if (free.length < opened) await new Promise<void>((resolve) => idle.push(resolve))
      for (const session of free.splice(0)) session.connection.closeSync()
    },
  }
}
