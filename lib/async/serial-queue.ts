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

/** Round-robin over clients. */
export type FairQueue<T> = {
  size(): number
  sizeOf(client: string): number
  push(client: string, waiting: T): void
  shift(): T | undefined
  pop(client: string): T | undefined
  remove(client: string, waiting: T): void
  selectLargest(): string | undefined
}

export function createFairQueue<T>(): FairQueue<T> {
  const queues = new Map<string, T[]>()
  let size = 0
  const sizeOf = (client: string) => queues.get(client)?.length ?? 0
  const take = (client: string, index: number) => {
    const queue = queues.get(client)
    const taken = queue?.splice(index, 1) ?? []
    size -= taken.length
    if (queue?.length === 0) queues.delete(client)
    return taken[0]
  }
  return {
    size: () => size,
    sizeOf,
    push(client, waiting) {
      size += 1
      const queue = queues.get(client)
      if (queue) queue.push(waiting)
      else queues.set(client, [waiting])
    },
    shift() {
      const [first] = queues
      if (!first) return undefined
      const [client, queue] = first
      queues.delete(client)
      queues.set(client, queue)
      return take(client, 0)
    },
    pop: (client) => take(client, -1),
    remove(client, waiting) {
      const index = queues.get(client)?.indexOf(waiting) ?? -1
      if (index >= 0) take(client, index)
    },
    selectLargest: () =>
      [...queues.keys()].reduce<string | undefined>(
        (largest, client) =>
          largest === undefined || sizeOf(client) > sizeOf(largest) ? client : largest,
        undefined,
      ),
  }
}
