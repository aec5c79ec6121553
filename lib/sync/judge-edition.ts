import type { DescribedEdition } from './edition-sidecar.ts'

/** An edition with fewer rows than this share of the one before is not believed at once: communities grow. */
const SHRINK_LIMIT = 0.98
/** So much may be added from one week to the next. Two that were cut at random places differ by more. */
const GROWTH_LIMIT = 1.1

type Judged = Pick<DescribedEdition, 'kind' | 'edition' | 'rows' | 'newestCreatedAt' | 'ids'>

/** Why an edition is not believed beside the one before, in a sentence; null where it is. */
export function selectDoubt(edition: Judged, before: Judged): string | null {
  const name = `The ${edition.kind} dump of ${edition.edition}`
  if (edition.rows < before.rows * SHRINK_LIMIT) {
    return `${name} has ${edition.rows} rows where that of ${before.edition} has ${before.rows}: it waits for another that confirms it.`
  }
  const goesBack =
    edition.kind === 'posts' &&
    before.newestCreatedAt !== null &&
    (edition.newestCreatedAt ?? 0) < before.newestCreatedAt
  if (!goesBack) return null
  return `The newest rating in the dump of ${edition.edition} is older than that in the one of ${before.edition}: it waits for another that confirms it.`
}

/**
 * Whether what came later bears out what an edition lost that is aside: as many rows, over the same ids, and no older;
 * and where that one was not believed beside the one before, neither would this one be.
 */
export function bearsOut(edition: Judged, heldBack: Judged, before: Judged | null): boolean {
  const isHealed =
    before !== null &&
    selectDoubt(heldBack, before) !== null &&
    selectDoubt(edition, before) === null
  const isAsLong =
    edition.rows >= heldBack.rows * SHRINK_LIMIT && edition.rows <= heldBack.rows * GROWTH_LIMIT
  const isAsNew = (edition.newestCreatedAt ?? 0) >= (heldBack.newestCreatedAt ?? 0)
  return !isHealed && isAsLong && isAsNew && spansTheSame(edition.ids, heldBack.ids)
}

function spansTheSame(ids: Judged['ids'], heldBack: Judged['ids']): boolean {
  if (!ids || !heldBack) return true
  const shared = Math.min(ids.highest, heldBack.highest) - Math.max(ids.lowest, heldBack.lowest)
  return shared >= (heldBack.highest - heldBack.lowest) * SHRINK_LIMIT
}
