const REMEMBERED_MAX = 500

/** Which view an address began as: `from` is its id, null where it began as none. */
export type TrailStep = { text: string; from: string | null }

/**
 * Follows the addresses that a reader goes through, and tells from which saved view each of them began: the one that
 * it equals, or else the one that the address before it began as. An address that somebody comes back to keeps its
 * own. `start` is the last step before the page was loaded again.
 */
export function createTrail(start: TrailStep | null) {
  const steps = new Map<string, string | null>()
  if (start) steps.set(start.text, start.from)
  let last: string | null = null
  return (text: string, equalId: string | null): string | null => {
    const known = steps.get(text)
    // Nothing is asked: who cleared everything begins anew.
    if (equalId !== null || text === '') last = equalId
    else if (known !== undefined) last = known
    if (steps.size >= REMEMBERED_MAX) steps.clear()
    steps.set(text, last)
    return last
  }
}
