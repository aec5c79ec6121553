import fc from 'fast-check'
import type { Outcome } from '#lib/contract/lists/calls.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { keyOf, type OracleRow } from './oracle.ts'

export type OraclePrice = { symbol: string; day: number; close: string }

export type OracleCall = {
  row: OracleRow
  outcome: Outcome
  entry: OraclePrice | null
  exit: OraclePrice | null
  gain: number | null
  benchmark: number | null
  hit: number | null
  signed: number | null
}

const DAY = 86_400

/** Around the limits of closes that leave: 0.55, 1.8 and 8 times those of a calm history. */
const someGlitches = fc.array(
  fc.record({
    from: fc.nat(120),
    closes: fc.constantFrom(1, 1, 1, 2, 3, 400),
    close: fc.constantFrom(
      ...['80', '79.99', '1.25', '1000', '18', '19', '5.5', '5', '0.00000001', '123456.789'],
    ),
  }),
  { maxLength: 3 },
)

const someCalmCloses = fc.array(fc.constantFrom('10', '10.5', '9.25', '10.00000001'), {
  minLength: 5,
  maxLength: 12,
})

/** Closes by their place in a history: calm ones, with glitches. */
export const someCloses = fc
  .tuple(someCalmCloses, someGlitches)
  .map(([calm, glitches]) => (place: number): string => {
    const glitch = glitches.find(({ from, closes }) => place >= from && place < from + closes)
    return glitch?.close ?? calm[(place * 7) % calm.length] ?? '10'
  })

export function bySymbol(prices: readonly OraclePrice[]): Map<string, OraclePrice[]> {
  const all = new Map<string, Map<number, OraclePrice>>()
  for (const price of prices) {
    const key = toSymbolKey(price.symbol)
    const own = all.get(key) ?? new Map<number, OraclePrice>()
    own.set(price.day, price)
    all.set(key, own)
  }
  return new Map(
    [...all].map(([key, own]) => [key, [...own.values()].sort((a, b) => a.day - b.day)]),
  )
}

type KnownCloses = { used: OraclePrice[]; jumps: Set<OraclePrice>; open: Set<OraclePrice> }

const unitsOf = ({ close }: OraclePrice): bigint => {
  const [whole = '0', fraction = ''] = close.split('.')
  return BigInt(whole + fraction.padEnd(8, '0'))
}

/** Above 1.8 or below 0.55 times. */
const isApart = (one: OraclePrice, before: OraclePrice) =>
  10n * unitsOf(one) > 18n * unitsOf(before) || 100n * unitsOf(one) < 55n * unitsOf(before)

const isFar = (one: OraclePrice, before: OraclePrice) =>
  unitsOf(one) >= 8n * unitsOf(before) || 8n * unitsOf(one) <= unitsOf(before)

/** Walks over the closes of a symbol that are known at `at`, in order, one by one. */
export function usedOf(all: readonly OraclePrice[], at: number): KnownCloses {
  const known = all.filter(({ day }) => (day + 1) * DAY - 1 <= at)
  const today = Math.floor((at + 1) / DAY) - 1
  const found: KnownCloses = { used: [], jumps: new Set(), open: new Set() }
  let wasBackTomorrow = false
  for (const [index, one] of known.entries()) {
    const [before, next] = [known[index - 1], known[index + 1]]
    const hasLeft = before !== undefined && !wasBackTomorrow && isApart(one, before)
    wasBackTomorrow = false
    if (!hasLeft) {
      found.used.push(one)
      continue
    }
    const soon = next !== undefined && next.day - one.day <= 7 ? next : null
    const isUnsettled = soon === null && today < one.day + 7
    wasBackTomorrow = soon !== null && !isApart(soon, before)
    if (isFar(one, before) && (isUnsettled || wasBackTomorrow)) continue
    found.used.push(one)
    if (isUnsettled) found.open.add(one)
    else if (!wasBackTomorrow) found.jumps.add(one)
  }
  return found
}

type RecordQuery = { horizon: number; at: number; benchmark: string | null }

const usedBefore = new WeakMap<OraclePrice[], Map<number, KnownCloses>>()

function usedOnce(prices: ReadonlyMap<string, OraclePrice[]>, key: string, at: number) {
  const all = prices.get(key) ?? []
  const cached = usedBefore.get(all) ?? new Map<number, KnownCloses>()
  usedBefore.set(all, cached)
  const used = cached.get(at) ?? usedOf(all, at)
  cached.set(at, used)
  return used
}

/** Exact, for decimal texts of at most 8 places. */
function compareGains(a: OraclePrice[], b: OraclePrice[]): number {
  const units = (price: OraclePrice | undefined) => (price ? unitsOf(price) : 0n)
  const [left, right] = [units(a[1]) * units(b[0]), units(a[0]) * units(b[1])]
  return left === right ? 0 : left > right ? 1 : -1
}

const gainOf = (entry: OraclePrice, exit: OraclePrice) =>
  Number(exit.close) / Number(entry.close) - 1

export function callOf(
  row: OracleRow,
  prices: ReadonlyMap<string, OraclePrice[]>,
  { horizon, at, benchmark }: RecordQuery,
): OracleCall {
  const known = (key: string) => usedOnce(prices, key, at)
  const { used: own, jumps, open } = known(keyOf(row))
  const none = {
    row,
    entry: null,
    exit: null,
    gain: null,
    benchmark: null,
    hit: null,
    signed: null,
  }
  if (own.length === 0) return { ...none, outcome: 'no_price' }
  const posted = Math.floor(row.created_at / DAY)
  const entry = own.find(({ day }) => day > posted)
  if (!entry || entry.day - posted > 7) return { ...none, outcome: 'no_entry' }
  const due = entry.day + horizon
  const exit = own.filter(({ day }) => day <= due).at(-1)
  const newest = own.at(-1)
  if (!exit || !newest || newest.day < due || due - exit.day > 7) {
    return { ...none, entry, outcome: 'open' }
  }
  const isBetween = ({ day }: OraclePrice) => day > entry.day && day <= exit.day
  const pairOf = (key: string) => {
    const ends = [entry, exit].map(({ day }) => known(key).used.find((price) => price.day === day))
    const pair = ends.flatMap((end) => end ?? [])
    return [...known(key).jumps].some(isBetween) ? [] : pair
  }
  const isOpen = (pair: readonly OraclePrice[], key: string) =>
    pair.length === 2 && pair.some((price) => known(key).open.has(price))
  const given = benchmark === null ? [] : pairOf(benchmark)
  const isUnsettled =
    given.length === 2
      ? isOpen(given, benchmark ?? '')
      : [...prices.keys()].some((key) => isOpen(pairOf(key), key))
  if (open.has(exit) || isUnsettled) return { ...none, entry, outcome: 'open' }
  if ([...jumps].some(isBetween)) return { ...none, entry, exit, outcome: 'jump' }
  const gain = gainOf(entry, exit)
  const pairs = [...prices.keys()].map(pairOf).filter((pair) => pair.length === 2)
  const gains = pairs.map(([a, b]) => (a && b ? gainOf(a, b) : 0))
  const mean = gains.reduce((sum, one) => sum + one, 0) / gains.length
  const [first, last] = given
  const compared = first && last ? gainOf(first, last) : mean
  const side = given.length === 2 ? compareGains([entry, exit], given) : Math.sign(gain - mean)
  const found = { row, entry, exit, gain, benchmark: compared }
  if (![1, 2, 4, 5].includes(row.rating))
    return { ...found, outcome: 'hold', hit: null, signed: null }
  const toward = row.rating >= 4 ? 1 : -1
  return {
    ...found,
    outcome: 'scored',
    hit: (1 + toward * side) / 2,
    signed: toward * (gain - compared),
  }
}

/** Windows that overlap form one cluster. */
export function clustersOf(calls: readonly OracleCall[]): OracleCall[][] {
  const groups = new Map<string, OracleCall[]>()
  for (const call of calls) {
    if (call.outcome !== 'scored') continue
    const name = `${call.row.user_id} ${keyOf(call.row)}`
    groups.set(name, [...(groups.get(name) ?? []), call])
  }
  return [...groups.values()].flatMap((group) => {
    const ordered = [...group].sort(
      (a, b) => (a.entry?.day ?? 0) - (b.entry?.day ?? 0) || a.row.id - b.row.id,
    )
    const clusters: OracleCall[][] = []
    for (const call of ordered) {
      const last = clusters.at(-1)
      const isChained = last?.some(({ exit }) => (exit?.day ?? 0) >= (call.entry?.day ?? 0))
      if (last && isChained) last.push(call)
      else clusters.push([call])
    }
    return clusters
  })
}

const meanOf = (values: readonly number[]) =>
  values.reduce((sum, one) => sum + one, 0) / values.length

export function tallyOf(calls: readonly OracleCall[]) {
  const clusters = clustersOf(calls)
  const hits = clusters.map((cluster) => meanOf(cluster.map(({ hit }) => hit ?? 0)))
  const signed = clusters.map((cluster) => meanOf(cluster.map((call) => call.signed ?? 0)))
  const count = (outcome: Outcome) => calls.filter((call) => call.outcome === outcome).length
  return {
    calls: calls.length,
    scored: count('scored'),
    open: count('open'),
    hold: count('hold'),
    no_price: count('no_price'),
    no_entry: count('no_entry'),
    jump: count('jump'),
    clusters: clusters.length,
    hits: hits.reduce((sum, one) => sum + one, 0),
    hit_rate: clusters.length === 0 ? null : meanOf(hits),
    excess: clusters.length === 0 ? null : meanOf(signed),
    squares: signed.reduce((sum, one) => sum + (one - meanOf(signed)) ** 2, 0),
  }
}
