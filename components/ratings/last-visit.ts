import { toKeptName } from '#lib/contract/base-path.ts'

const VISIT_KEY = toKeptName('bellwether.visit')

/** Seconds since 1970. */
type Visit = { seen: number; before: number | null }

const AWAY_SECONDS = 30 * 60

/** `now` is the server's clock: the local one may be wrong. */
export function toVisit(kept: Visit | null, now: number): Visit {
  if (kept === null || kept.seen > now) return { seen: now, before: null }
  const isNew = now - kept.seen >= AWAY_SECONDS
  return { seen: now, before: isNew ? kept.seen : kept.before }
}

const DAY_SECONDS = 86_400
const LONGEST_DAYS = 30

/**
 * Returns the UTC day of the previous visit, so that requests can be shared. Null if that was
 * today, over a month ago or never.
 */
export function toSince(before: number | null, now: number): number | null {
  if (before === null) return null
  const day = before - (before % DAY_SECONDS)
  const days = Math.floor(now / DAY_SECONDS) - day / DAY_SECONDS
  return days < 1 || days > LONGEST_DAYS ? null : day
}

type TextStorage = Pick<Storage, 'getItem' | 'setItem'>

/**
 * Null if storage is unavailable. `storage` is a function because accessing `localStorage` may
 * throw.
 */
export function noteVisit(storage: () => TextStorage, now: number): number | null {
  try {
    const kept = storage()
    const visit = toVisit(parse(kept.getItem(VISIT_KEY)), now)
    kept.setItem(VISIT_KEY, JSON.stringify(visit))
    return visit.before
  } catch {
    return null
  }
}

function parse(text: string | null): Visit | null {
  const kept: unknown = JSON.parse(text ?? 'null')
  if (typeof kept !== 'object' || kept === null || !('seen' in kept) || !('before' in kept))
    return null
  const { seen, before } = kept
  const isBefore = before === null || Number.isSafeInteger(before)
  return Number.isSafeInteger(seen) && isBefore
    ? { seen: Number(seen), before: before === null ? null : Number(before) }
    : null
}
