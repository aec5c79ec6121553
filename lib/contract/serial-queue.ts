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
