/** Runs one piece of work after the other, in the order asked, whatever becomes of each. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

export function createQueue(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work, work)
    last = result.catch(() => {})
    return result
  }
}

/** Repeats one piece of work, one at a time: whoever asks while it is done is answered by the next, which all of them share. */
export function createSharedTurns(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  return () => {
    if (next) return next
    last = last
      .catch(() => undefined)
      .then(() => {
        next = null
        return work()
      })
    next = last
    return next
  }
}
