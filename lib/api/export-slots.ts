import { AppError } from '#lib/contract/faults.ts'

/** At once. Each holds a snapshot of the archive and some megabytes for as long as its reader takes. */
const EXPORTS_MAX = 16
const RETRY_SECONDS = 10

/** Takes one of the places for exports and gives what frees it again. Throws AppError('busy') where all are taken. */
export type TakeSlot = () => () => void

export function createSlots(): TakeSlot {
  const taken = new Set<symbol>()
  return () => {
    if (taken.size >= EXPORTS_MAX) {
      const message = `More than ${EXPORTS_MAX} exports at once are too many: try again soon.`
      throw new AppError('busy', message, { retryAfterSeconds: RETRY_SECONDS })
    }
    const slot = Symbol('export')
    taken.add(slot)
    return () => void taken.delete(slot)
  }
}
