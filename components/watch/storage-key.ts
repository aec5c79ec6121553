import { toKeptName } from '#lib/contract/base-path.ts'

/** Where a browser keeps its stars. Asked before anything of them is loaded. */
export const STARS_KEY = toKeptName('bellwether.watching')

/** How the text of stars begins behind its version where there is one at least. */
const FIRST_STAR = '"stars":[{'

/** Does this browser keep a star? False where it keeps nothing. For the browser only. */
export function keepsStars(): boolean {
  try {
    return localStorage.getItem(STARS_KEY)?.includes(FIRST_STAR) ?? false
  } catch {
    return false
  }
}
