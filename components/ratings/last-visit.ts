import { toKeptName } from '#lib/contract/base-path.ts'

/** Where a browser keeps when its reader was here. */
const VISIT_KEY = toKeptName('bellwether.visit')

/** Instants are seconds since 1970: when this visit was last seen to go on, and when the one before it ended. */
type Visit = { seen: number; before: number | null }

/** Whoever was away for so long comes back for a new visit. */
const AWAY_SECONDS = 30 * 60

/** What is kept from now on; `now` is the server's clock, so a clock of the reader that is wrong does not count. */
export function toVisit(kept: Visit | null, now: number): Visit {
  if (kept === null || kept.seen > now) return { seen: now, before: null }
  const isNew = now - kept.seen >= AWAY_SECONDS
  return { seen: now, before: isNew ? kept.seen : kept.before }
}

const DAY_SECONDS = 86_400
const LONGEST_DAYS = 30

/**
 * From when on a reader is told what moved: the day (UTC) of his last visit, so that all who were here that day ask the
 * same. Null where he was here today already, was not here for a month, or never was: then he is told of the last whole
 * week.
 */
export function toSince(before: number | null, now: number): number | null {
  if (before === null) return null
  const day = before - (before % DAY_SECONDS)
  const days = Math.floor(now / DAY_SECONDS) - day / DAY_SECONDS
  return days < 1 || days > LONGEST_DAYS ? null : day
}

type TextStorage = Pick<Storage, 'getItem' | 'setItem'>

/**
 * Notes that the reader is here, and gives when he was here before; null where the browser keeps nothing. `storage` is asked
 * here, since asking may be what is forbidden.
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
