import { type IdRange, limitRanges, uniteRanges } from '#lib/archive/ratings/id-ranges.ts'
import type { News, NewsQuery } from '#lib/archive/ratings/news.ts'
import type { ConsensusRule } from '#lib/contract/alert-rules.ts'
import { CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
import type { Alarm } from '#lib/contract/answers/status.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toMean } from '#lib/statistics/exact.ts'
import type { ReadRule, RuleBook } from './rules.ts'
import type { AlertState, ConsensusEvent, HeldBack, RuleState } from './state.ts'

const DAY_SECONDS = 86_400
/** Gaps in the ids are watched for late ratings for this long. */
const LATE_SECONDS = 14 * DAY_SECONDS
const RANGES_MAX = 5000
const EXAMPLES = 10
/** A removed rule that returns by then keeps its state. */
const GONE_SECONDS = 30 * DAY_SECONDS

type EvaluationInput = {
  query: NewsQuery
  rules: readonly ReadRule[]
  pairs: readonly Pair[]
}

type Pair = { rule: ReadRule & { rule: ConsensusRule }; symbol: string; place: number }

type Instants = { at: number; newest: number | null }

/** Queries only rules with state: what was posted before a rule existed is not news. */
export function toAsking(
  state: AlertState,
  book: RuleBook,
  { at, newest }: Instants,
): EvaluationInput {
  const begun = new Map(state.rules.map((rule) => [rule.name, rule]))
  const rules: ReadRule[] = []
  const queries: NewsQuery['queries'][number][] = []
  for (const read of book.rules) {
    const kept = begun.get(read.rule.name)
    if (read.query === null || kept?.definition !== read.definition) continue
    rules.push(read)
    queries.push({ query: read.query, from: Math.min(kept.since, at) })
  }
  const { symbols, pairs } = toPairs(book, at)
  const known = state.known ?? []
  // A fast clock must not make new ratings count as late.
  const lateFrom = Math.min(at, newest ?? at) - LATE_SECONDS
  return {
    query: { known, lateFrom, queries, examples: EXAMPLES, symbols },
    rules,
    pairs,
  }
}

function toPairs({ rules }: RuleBook, at: number) {
  const places = new Map<string, number>()
  const symbols: { symbol: string; before: number }[] = []
  const pairs: Pair[] = []
  for (const read of rules) {
    const { rule } = read
    if (rule.kind !== 'crossing' && rule.kind !== 'change') continue
    const before = rule.kind === 'change' ? at - rule.days * DAY_SECONDS : at
    for (const symbol of new Set(rule.symbols.map(toSymbolKey))) {
      const key = `${before} ${symbol}`
      const place = places.get(key) ?? symbols.push({ symbol, before }) - 1
      places.set(key, place)
      pairs.push({ rule: { ...read, rule }, symbol, place })
    }
  }
  return { symbols, pairs }
}

export type Facts = {
  asking: EvaluationInput
  news: News
  alarms: readonly Alarm[]
  at: number
}

/** Idempotent: an event that appears again is not held twice. */
export function judge(state: AlertState, book: RuleBook, facts: Facts): AlertState {
  const { asking, news, at } = facts
  const kept = new Map(state.rules.map((rule) => [rule.name, rule]))
  const matches = new Map(
    news.matches.map((match) => [asking.rules[match.query]?.rule.name ?? '', match]),
  )
  const pairs = groupPairs(asking.pairs)
  const followed = book.rules.map((read) => {
    const { name } = read.rule
    const before = kept.get(name)
    const isNew = before?.definition !== read.definition
    let rule: RuleState = isNew || !before ? begin(read, before, at) : resume(before, at)
    const match = matches.get(name)
    if (match && !isNew) {
      const ratings = match.ids.flatMap((id) => news.ratings.get(id) ?? [])
      rule = hold(rule, { total: match.total, ratings }, at)
    }
    rule = judgeSymbols(rule, pairs.get(name) ?? [], { news, at, isNew })
    return judgeAlarms(rule, read, facts)
  })
  const names = new Set(book.rules.map((read) => read.rule.name))
  const gone = state.rules
    .filter((rule) => !names.has(rule.name))
    .map((rule) => ({ ...rule, gone_at: rule.gone_at ?? at }))
    .filter((rule) => at - rule.gone_at < GONE_SECONDS)
  return { ...state, known: toKnown(state.known, news.ids), rules: [...followed, ...gone] }
}

function groupPairs(pairs: readonly Pair[]): Map<string, Pair[]> {
  const groups = new Map<string, Pair[]>()
  for (const pair of pairs) {
    const { name } = pair.rule.rule
    const group = groups.get(name)
    if (group) group.push(pair)
    else groups.set(name, [pair])
  }
  return groups
}

function toKnown(known: AlertState['known'], ids: readonly IdRange[]): AlertState['known'] {
  if (known !== null && ids.length === 0) return known
  const all = limitRanges(uniteRanges([...(known ?? []), ...ids]), RANGES_MAX)
  return all.map(([low, high]) => [low, high])
}

const begin = ({ rule, definition }: ReadRule, before: RuleState | undefined, at: number) => ({
  name: rule.name,
  definition,
  since: at,
  told_at: before?.told_at ?? null,
  held: null,
  symbols: [],
  alarms: [],
  gone_at: null,
})

/** If the clock went back, a `since` in the future would keep the rule silent. */
const resume = (rule: RuleState, at: number): RuleState =>
  rule.since <= at && rule.gone_at === null
    ? rule
    : { ...rule, since: Math.min(rule.since, at), gone_at: null }

type RuleMatches = { total: number } & Partial<Pick<HeldBack, 'ratings' | 'changes' | 'alarms'>>

function hold(rule: RuleState, { total, ...happened }: RuleMatches, at: number): RuleState {
  const before = rule.held ?? { total: 0, from: at, ratings: [], changes: [], alarms: [] }
  const { ratings = [], changes = [], alarms = [] } = happened
  return {
    ...rule,
    held: {
      total: before.total + total,
      from: Math.min(before.from, at),
      ratings: [...ratings, ...before.ratings].slice(0, EXAMPLES),
      changes: [...changes, ...before.changes].slice(0, EXAMPLES),
      alarms: [...alarms, ...before.alarms].slice(0, EXAMPLES),
    },
  }
}

type SymbolFacts = { news: News; at: number; isNew: boolean }

function judgeSymbols(rule: RuleState, pairs: readonly Pair[], facts: SymbolFacts): RuleState {
  if (pairs.length === 0) return rule
  const before = new Map(rule.symbols.map(({ symbol, stands }) => [symbol, stands]))
  const changes: ConsensusEvent[] = []
  const symbols = pairs.flatMap(({ rule: read, symbol, place }) => {
    const sums = facts.news.sums[place]
    const stood = before.get(symbol) ?? null
    const judged = sums ? judgeSymbol(read.rule, { ...sums, stood }) : null
    const stands = judged?.stands ?? stood
    if (judged?.event && stood !== null) {
      changes.push({ ...judged.event, symbol, at: facts.at })
    }
    return stands === null ? [] : [{ symbol, stands }]
  })
  const isSame = JSON.stringify(symbols) === JSON.stringify(rule.symbols)
  const next = isSame ? rule : { ...rule, symbols }
  return changes.length === 0 ? next : hold(next, { total: changes.length, changes }, facts.at)
}

type Sums = News['sums'][number]
type ConsensusResult = { stands: string; event: Omit<ConsensusEvent, 'symbol' | 'at'> | null }

/** `stood` null: first evaluation, raises no event. */
function judgeSymbol(
  rule: ConsensusRule,
  { now, before, stood }: Sums & { stood: string | null },
): ConsensusResult | null {
  const minimum = rule.minimum ?? CONSENSUS_MIN
  if (now.active < minimum) return null
  const figures = { consensus: toMeanText(now), active: now.active }
  if (rule.kind === 'crossing') {
    const stands = compareMean(now, rule.value) < 0 ? 'below' : 'above'
    const direction = stands === 'above' ? ('up' as const) : ('down' as const)
    const event = { ...figures, direction, consensus_before: null, change: null }
    return { stands, event: stands === stood ? null : event }
  }
  if (before.active < minimum) return null
  const { text, sign, reaches } = subtractMeans(before, now, rule.by)
  const direction = sign < 0 ? ('down' as const) : ('up' as const)
  if (reaches !== 'whole') {
    // Hysteresis: the change must fall below half before it is reported again.
    return { stands: reaches === 'half' && stood === direction ? direction : 'still', event: null }
  }
  const event = { ...figures, direction, consensus_before: toMeanText(before), change: text }
  return { stands: direction, event: stood === direction ? null : event }
}

function judgeAlarms(rule: RuleState, read: ReadRule, { alarms, at }: Facts): RuleState {
  if (read.rule.kind !== 'sync') return rule
  const wanted = read.rule.alarms
  const raised = alarms.filter(({ kind }) => wanted === undefined || wanted.includes(kind))
  const fresh = raised.filter(({ kind }) => rule.alarms.every((told) => told.kind !== kind))
  const over = rule.alarms.filter(({ kind }) => alarms.every((alarm) => alarm.kind !== kind))
  if (fresh.length + over.length === 0) return rule
  const kept = rule.alarms.filter((told) => !over.includes(told))
  const next = {
    ...rule,
    alarms: [...kept, ...fresh.map(({ kind, since }) => ({ kind, since }))],
  }
  const events = [
    ...fresh.map(({ kind, since, message }) => {
      return { alarm: kind, state: 'raised' as const, at, since, message }
    }),
    ...over.map(({ kind, since }) => {
      return { alarm: kind, state: 'over' as const, at, since, message: '' }
    }),
  ]
  return hold(next, { total: events.length, alarms: events }, at)
}

type Active = { active: number; sum: number | null }

const PLACES = 4
const UNIT = 10n ** BigInt(PLACES)

/** Ten-thousandths, from decimal text of at most 4 places. */
function toUnits(text: string): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(PLACES, '0'))
}

/** Exact. `active` must not be 0. */
function compareMean({ active, sum }: Active, value: string): -1 | 0 | 1 {
  return toSign(BigInt(sum ?? 0) * UNIT - toUnits(value) * BigInt(active))
}

const toSign = (number: bigint) => (number < 0n ? -1 : number > 0n ? 1 : 0)

/** 4 places, rounded half away from zero. */
const toMeanText = ({ active, sum }: Active): string => toMean(sum ?? 0, active, PLACES) ?? ''

/** `text`: 4 places. `reaches` is exact, before rounding. */
function subtractMeans(before: Active, after: Active, by: string) {
  const [b, a] = [BigInt(before.active), BigInt(after.active)]
  const difference = BigInt(after.sum ?? 0) * b - BigInt(before.sum ?? 0) * a
  const size = (difference < 0n ? -difference : difference) * UNIT
  const bound = toUnits(by) * a * b
  const reaches = size >= bound ? ('whole' as const) : 2n * size >= bound ? 'half' : 'less'
  return { text: toMean(difference, a * b, PLACES) ?? '', sign: toSign(difference), reaches }
}
