import type { LeagueAttention } from '#lib/contract/answers/symbols.ts'

/** Instants in seconds since 1970. */

export type LookupEvent = { symbol: string; created_at: number }

/** `until`: exclusive end of activity. */
export type Rated = {
  id: number
  user_id: number
  symbol: string
  rating: number
  created_at: number
  until: number
}

const DAY = 86_400

type LookupsCoverage = { from: number; end: number }

export function toKnownNaively(
  looked: readonly LookupEvent[],
  { knownTo, at }: { knownTo: number; at: number },
): LookupsCoverage | null {
  const from = Math.min(...looked.map((one) => one.created_at))
  const end = Math.min(knownTo, at + 1)
  return from < end ? { from, end } : null
}

const countWithin = (looked: readonly LookupEvent[], symbol: string, from: number, to: number) =>
  looked.filter((one) => one.symbol === symbol && one.created_at >= from && one.created_at < to)
    .length

function usualOfWeek(looked: readonly LookupEvent[], symbol: string, begin: number): number {
  let usual = 0
  for (let day = 0; day < 7; day += 1) {
    let sum = 0
    for (let week = 1; week <= 4; week += 1) {
      const from = begin + day * DAY - week * 7 * DAY
      sum += countWithin(looked, symbol, from, from + DAY)
    }
    usual += sum / 4
  }
  return usual
}

/** 99.9 % quantile by adding up terms. */
function poissonQuantile(mean: number): number {
  let [k, term] = [0, Math.exp(-mean)]
  let sum = term
  while (sum < 0.999) {
    k += 1
    term *= mean / k
    sum += term
  }
  return k
}

export function judgeNaively(
  looked: readonly LookupEvent[],
  symbol: string,
  { from, end }: LookupsCoverage,
): LeagueAttention {
  const [week, month] = [7, 30].map((days) =>
    countWithin(looked, symbol, end - days * DAY, end),
  ) as [number, number]
  const all = looked.filter(
    (one) => one.created_at >= end - 30 * DAY && one.created_at < end,
  ).length
  const usual = usualOfWeek(looked, symbol, end - 7 * DAY)
  const isKnown = from <= end - 35 * DAY
  return {
    lookups_7d: week,
    lookups_30d: month,
    lookups_share: all === 0 ? null : (month / all).toFixed(6),
    is_busy: isKnown ? week >= 5 && week > poissonQuantile(usual) : null,
  }
}

export function compareNaively(
  looked: readonly LookupEvent[],
  rated: readonly Rated[],
  { end, at }: { end: number; at: number },
) {
  const symbols = [...new Set([...looked, ...rated].map(({ symbol }) => symbol))].sort()
  const rows = symbols.map((symbol) => ({
    symbol,
    lookups: countWithin(looked, symbol, end - 30 * DAY, end),
    active: rated.filter((one) => one.symbol === symbol && one.created_at <= at && one.until > at)
      .length,
  }))
  const lookups = rows.reduce((sum, row) => sum + row.lookups, 0)
  const active = rows.reduce((sum, row) => sum + row.active, 0)
  if (lookups === 0 || active === 0) return { more: [], fewer: [] }
  const ratios = rows
    .filter((row) => row.lookups >= 20 || row.active >= 20)
    .map((row) => ({ ...row, ratio: row.lookups / lookups / (row.active / active) }))
  const isLow = (of: 'lookups' | 'active', value: number) =>
    ratios.filter((row) => row[of] < value).length < ratios.length / 2
  const more = ratios
    .filter(({ ratio, active }) => ratio > 1 && isLow('active', active))
    .sort((a, b) => b.ratio - a.ratio)
  const fewer = ratios
    .filter(({ ratio, lookups }) => ratio < 1 && isLow('lookups', lookups))
    .sort((a, b) => a.ratio - b.ratio || b.active - a.active)
  return { more, fewer }
}

export function ratiosNaively(
  looked: readonly LookupEvent[],
  rated: readonly Rated[],
  { from, end }: LookupsCoverage,
  direction: 'up' | 'down',
): { symbol: string; ratios: number[]; placebos: number[] }[] {
  const first = from + 35 * DAY
  const bySymbol = new Map<string, { symbol: string; ratios: number[]; placebos: number[] }>()
  for (const rating of rated) {
    const before = rated
      .filter(
        (one) =>
          one.symbol === rating.symbol &&
          one.user_id === rating.user_id &&
          (one.created_at < rating.created_at ||
            (one.created_at === rating.created_at && one.id < rating.id)),
      )
      .sort((a, b) => a.created_at - b.created_at || a.id - b.id)
      .at(-1)
    if (!before || before.rating === rating.rating) continue
    if ((rating.rating > before.rating ? 'up' : 'down') !== direction) continue
    if (rating.created_at < first || rating.created_at >= end) continue
    const own = bySymbol.get(rating.symbol) ?? { symbol: rating.symbol, ratios: [], placebos: [] }
    bySymbol.set(rating.symbol, own)
    const toRatio = (at: number) => {
      const usual = countWithin(looked, rating.symbol, at - 35 * DAY, at - 7 * DAY)
      const week = countWithin(looked, rating.symbol, at - 7 * DAY, at)
      return usual < 4 ? [] : [(week * 4) / usual]
    }
    own.ratios.push(...toRatio(rating.created_at))
    const scattered = (BigInt(rating.id) * 2_654_435_761n) % 4_294_967_296n
    const share = scattered < 0n ? scattered + 4_294_967_296n : scattered
    own.placebos.push(...toRatio(first + Number((share * BigInt(end - first)) / 4_294_967_296n)))
  }
  return [...bySymbol.values()]
}

export function medianNaively(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const [low = 0, high = 0] = [sorted[half - 1], sorted[half]]
  return sorted.length % 2 === 1 ? high : (low + high) / 2
}
