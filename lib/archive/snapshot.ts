import { AppError } from '#lib/contract/faults.ts'
import type { Session } from './duckdb-session.ts'
import { toReadProblem } from './engine-problems.ts'
import type { InTurn } from './queue.ts'

/**
 * A connection of its own in one read transaction: everything that it is asked is of one commit, however long that
 * takes. It has to be closed, since the engine keeps what was changed meanwhile.
 */
export type Snapshot = {
  /** One piece of work at a time, in turn with all other snapshots. Throws AppError('busy') when aborted or closed. */
  read<T>(work: (session: Session) => Promise<T>): Promise<T>
  /** Interrupts what runs. May be called again. */
  close(): Promise<void>
}

type SnapshotOptions = {
  /** What all snapshots share: while one works, it holds a thread that other reads need too. */
  inTurn: InTurn
  signal: AbortSignal | undefined
  onClose: (snapshot: Snapshot) => void
}

const withdrawn = () => new AppError('busy', 'The question was withdrawn before it was answered.')

export function createSnapshot(session: Session, options: SnapshotOptions): Snapshot {
  const { inTurn, signal, onClose } = options
  let last: Promise<unknown> = Promise.resolve()
  let closing: Promise<void> | null = null

  /** One step of work, in its turn. */
  const step = <T>(work: () => Promise<T>): Promise<T> => {
    const ran = inTurn(async () => {
      if (closing) throw withdrawn()
      try {
        return await work()
      } catch (error) {
        throw closing ? withdrawn() : toReadProblem(error)
      }
    })
    last = ran.catch(() => {})
    return ran
  }

  const begun = step(async () => await session.connection.run('begin transaction'))
  // Whoever reads first is told; where nobody reads, nobody needs to be.
  begun.catch(() => {})

  const snapshot: Snapshot = {
    read: async (work) => {
      await begun
      return await step(() => session.interruptible(signal, async () => await work(session)))
    },
    close() {
      closing ??= close()
      return closing
    },
  }

  const close = async () => {
    session.connection.interrupt()
    await last
    session.connection.closeSync()
    onClose(snapshot)
  }
  return snapshot
}
