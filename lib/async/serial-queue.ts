/** One task at a time, in order; failures do not stop the queue. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

export function createQueue(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const result = last.then(work, work)
    last = result.catch(() => {})
    return result
  }
}

/** Calls during a run share the next one. */
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
