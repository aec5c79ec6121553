import { toKeptName } from '#lib/contract/base-path.ts'

export const STARS_KEY = toKeptName('bellwether.watching')

/** Matches the exact stored JSON, to avoid loading the parser. */
const FIRST_STAR = '"stars":[{'

/** Browser only. */
export function keepsStars(): boolean {
  try {
    return localStorage.getItem(STARS_KEY)?.includes(FIRST_STAR) ?? false
  } catch {
    return false
  }
}
