import type { Draw } from './community.ts'
import type { Random } from './random.ts'

const HOUR = 3600
const DAY = 86_400

/** A rating of the demo community as it is stored; how it looks at an instant is worked out by SQL (demo-table.ts). */
export type DemoRating = {
  id: number
  user_id: number
  symbol: string
  rating: number
  action: number
  /** Hundredths of a percent. */
  prediction_cents: number
  created_at: number
  /** Seconds since the rating before it. */
  gap: number
  /** When it lapses if nobody ends it. */
  expires_at: number
  /** When its member ends it; `expires_at` where nobody does. */
  ended_at: number
  /** The votes that it has when voting is over, `settle_seconds` after it was posted. */
  agree: number
  disagree: number
  comments: number
  settle_seconds: number
}

type Written = Pick<DemoRating, 'id' | 'symbol' | 'created_at' | 'gap'>

/** Finishes a drawn rating. `previous` is the member's last rating on the symbol, 0 where there is none. */
export function toDemoRating(draw: Draw, previous: number, written: Written): DemoRating {
  const { random } = draw
  const rating = previous > 0 && draw.stubborn ? previous : draw.leaning
  const days = toDays(random.next())
  const early = random.next() < 0.09 ? 0.05 + 0.85 * random.next() : 1
  const heat = 5 * Math.log(1 - random.next()) ** 2
  const approval = 0.35 + 0.6 * random.next()
  return {
    id: written.id,
    user_id: draw.member,
    symbol: written.symbol,
    rating,
    action: toAction(rating, previous),
    prediction_cents: toPrediction(rating, days, random),
    created_at: written.created_at,
    gap: written.gap,
    expires_at: written.created_at + days * DAY,
    ended_at: written.created_at + Math.floor(days * DAY * early),
    agree: Math.round(heat * approval),
    disagree: Math.round(heat * (1 - approval)),
    comments: Math.round(heat * 0.4 * random.next()),
    settle_seconds: HOUR * (4 + Math.floor(90 * random.next())),
  }
}

/** 1 Initiated, 2 Upgraded, 3 Downgraded, 4 Reiterated. */
function toAction(rating: number, previous: number): number {
  if (previous === 0) return 1
  if (rating === previous) return 4
  return rating > previous ? 2 : 3
}

function toDays(unit: number): number {
  if (unit < 0.15) return 30
  if (unit < 0.5) return 90
  return unit < 0.7 ? 180 : 365
}

const MIDDLE = [0, -2600, -1100, 120, 1150, 2700]

/** A prediction goes with its rating in sign and size; nobody predicts a loss of everything. */
function toPrediction(rating: number, days: number, random: Random): number {
  const noise = random.next() + random.next() - 1
  if (rating === 3) return Math.round(120 + 620 * noise)
  const reach = Math.sqrt(days / 180)
  const outlier = random.next() < 0.004 ? 3 + 6 * random.next() : 1
  const cents = (MIDDLE[rating] ?? 0) * reach * (1 + 0.85 * noise) * outlier
  return Math.max(-9500, Math.round(cents))
}
