import { AppError } from '#lib/contract/faults.ts'

/** Who goes away leaves the work to the others. Throws AppError `busy` where the signal is aborted first. */
export async function untilAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return await work
  const gone = () => new AppError('busy', 'The request was given up.')
  if (signal.aborted) throw gone()
  let leave = () => {}
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(gone())
  })
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work, left])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
