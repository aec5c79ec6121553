/** Runs work, at most `size` pieces of it at a time, first come, first served. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

export function createTurns(size: number): Turns {
  const waiting: (() => void)[] = []
  let free = size
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
