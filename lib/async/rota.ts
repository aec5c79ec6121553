/** Those who wait, by client: each client has a turn before any has a second. */
export type Rota<T> = {
  size(): number
  sizeOf(client: string): number
  push(client: string, waiting: T): void
  /** Takes the oldest of the client whose turn it is, which goes to the end. */
  shift(): T | undefined
  /** Takes the newest of a client. */
  pop(client: string): T | undefined
  remove(client: string, waiting: T): void
  /** The client of which the most wait; undefined if nobody waits. */
  selectLargest(): string | undefined
}

export function createRota<T>(): Rota<T> {
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
