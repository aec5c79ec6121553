/** Runs one piece of work after the other, in the order asked, whatever becomes of each. */
export function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return async (work) => {
    const result = last.then(work, work)
    last = result.catch(() => {})
    return await result
  }
}
