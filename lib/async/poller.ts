import { createSharedTurns } from './serial-queue.ts'

/** Looks now and then whether something is another than it was, one look at a time. */
export type Watch = {
  /** Looks once more. Resolves when that is done; whoever asks meanwhile shares the next look. */
  look(): Promise<void>
  /** Resolves when the look that was begun last is done. */
  settled(): Promise<void>
  /** Looks no more and breaks off what goes on. Resolves when that has ended. */
  close(): Promise<void>
}

type WatchOptions = {
  seconds: number
  every: (seconds: number, run: () => void) => () => void
  /** Never rejects. */
  look: (signal: AbortSignal) => Promise<void>
}

/** Looks at once, every so many seconds, and when it is asked to. */
export function createWatch({ seconds, every, look }: WatchOptions): Watch {
  const stopping = new AbortController()
  const turn = createSharedTurns(async () => {
    if (!stopping.signal.aborted) await look(stopping.signal)
  })
  let last = turn()
  const lookAgain = async () => {
    last = turn()
    await last
  }
  const callOff = every(seconds, () => void lookAgain())
  return {
    look: lookAgain,
    settled: async () => await last,
    async close() {
      callOff()
      stopping.abort()
      await last
    },
  }
}
