import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Horizon } from '#lib/contract/horizons.ts'
import { OUTCOMES, type Outcome } from '#lib/contract/lists/calls.ts'
import type { Calls, PredictedCalls } from './call-columns.ts'
import {
  isAcrossJump,
  type Market,
  NONE,
  toBenchmark,
  toGain,
  toKnown,
  toKnownDay,
  toRange,
  toSide,
  toUsable,
  type Windows,
} from './market.ts'

/** `sum`: mean signed excess of each cluster; `squares`: squared distances from the mean. */
export type Totals = { clusters: number; hits: number; sum: number; squares: number }

/** In order of OUTCOMES. */
export type Group = Totals & { outcomes: number[] }

export type Survey = {
  own: Group
  labels: ReadonlyMap<number, Group>
  years: ReadonlyMap<number, Group>
  users: ReadonlyMap<number, Totals>
  scored: CallGains
}

/** `places` ascend by prediction. */
export type CallGains = { places: Int32Array; gains: Float64Array }

/** `at`: seconds since 1970. */
export type SurveyChoice = { horizon: Horizon; at: number }

const CALLS_A_TURN = 200_000

/**
 * Calls of one user on one symbol with overlapping windows form a cluster of weight one. Requires
 * sorted calls.
 */
export async function surveyCalls(
  calls: PredictedCalls,
  market: Market,
  choice: SurveyChoice,
): Promise<Survey> {
  const tables = createTables(calls, calls.places)
  await fillTables(tables, { calls, market, ...choice })
  return {
    ...toBrief(calls, tables),
    labels: toGroups(tables, calls.labels, tables.labels),
    years: toGroups(tables, calls.years, tables.years),
    scored: toScored(tables.gains),
  }
}

/** Of all calls and of each user. */
export async function surveyBriefly(
  calls: Calls,
  market: Market,
  choice: SurveyChoice,
): Promise<Pick<Survey, 'own' | 'users'>> {
  const tables = createTables(calls, null)
  await fillTables(tables, { calls, market, ...choice })
  return toBrief(calls, tables)
}

type Surveyed = SurveyChoice & { calls: Calls; market: Market }

async function fillTables(tables: Tables, { calls, market, horizon, at }: Surveyed) {
  const windows = market.windows.get(horizon)
  const knownDay = toKnownDay(at)
  let turn = CALLS_A_TURN
  for (let symbol = 0; windows && symbol < calls.starts.length - 1; symbol += 1) {
    const [from, to] = toRange(calls.starts, symbol)
    const firstDay = market.days[market.starts[symbol] ?? NONE] ?? Number.POSITIVE_INFINITY
    const isPriced = symbol < market.symbols.length && firstDay <= knownDay
    surveySymbol(tables, { calls, market, windows, at, knownDay, isPriced, from, to })
    if (to < turn) continue
    turn = to + CALLS_A_TURN
    await nextTurn()
  }
}

const FIELDS = 5

/** Calls, hits in halves, excess, last exit day. */
const OPEN_FIELDS = 4

/** Offsets: all calls, then labels, years, users. */
type Tables = {
  /** Null: only of all calls and of each user. */
  places: Int32Array | null
  sums: Float64Array
  outcomes: Int32Array
  labels: number
  years: number
  users: number
  hasCalls: Uint8Array
  /** NaN if not scored. */
  gains: Float64Array
  open: Float64Array
}

function createTables({ labels, years, userIds }: Calls, places: Int32Array | null): Tables {
  const groups = labels.length + years.length
  return {
    places,
    sums: new Float64Array((1 + groups + userIds.length) * FIELDS),
    outcomes: new Int32Array((1 + groups) * OUTCOMES.length),
    labels: 1,
    years: 1 + labels.length,
    users: 1 + groups,
    hasCalls: new Uint8Array(userIds.length),
    gains: new Float64Array(places?.length ?? 0).fill(Number.NaN),
    open: new Float64Array((FIRST_LABEL + labels.length) * OPEN_FIELDS),
  }
}

const [WHOLE, YEAR, FIRST_LABEL] = [0, 1, 2]

const outcomeOf = (name: Outcome) => OUTCOMES.indexOf(name)
const [SCORED, OPEN, HOLD] = [outcomeOf('scored'), outcomeOf('open'), outcomeOf('hold')]
const [NO_PRICE, NO_ENTRY] = [outcomeOf('no_price'), outcomeOf('no_entry')]
const JUMP = outcomeOf('jump')

type SymbolCalls = {
  calls: Calls
  market: Market
  windows: Windows
  at: number
  knownDay: number
  isPriced: boolean
  from: number
  to: number
}

function surveySymbol(tables: Tables, given: SymbolCalls): void {
  const { calls, market, windows, at, from, to } = given
  const { places, outcomes, open, gains } = tables
  let [user, year] = [NONE, NONE]
  for (let call = from; call < to; call += 1) {
    if ((calls.created[call] ?? 0) > at) continue
    if (calls.users[call] !== user) {
      closeAll(tables, user, year)
      user = calls.users[call] ?? NONE
      tables.hasCalls[user] = 1
    }
    if (calls.yearCodes[call] !== year) {
      closeCluster(tables, YEAR, tables.years + year)
      year = calls.yearCodes[call] ?? NONE
    }
    const label = calls.labelCodes[call] ?? 0
    const toward = TOWARD[calls.labels[label] ?? 0] ?? 0
    const outcome = toOutcome(given, call, toward)
    count(outcomes, WHOLE, outcome)
    count(outcomes, tables.labels + label, outcome)
    count(outcomes, tables.years + year, outcome)
    if (outcome !== SCORED) continue
    const entry = calls.entries[call] ?? NONE
    const exit = windows.exits[entry] ?? NONE
    const gain = toGain(market, entry, exit)
    const excess = gain - toBenchmark(market, windows, entry, exit)
    const hits = 1 + toward * toSide(market, entry, exit, excess)
    const signed = toward * excess
    const entryDay = market.days[entry] ?? 0
    const lastDay = market.days[exit] ?? 0
    if (entryDay > (open[WHOLE * OPEN_FIELDS + 3] ?? 0)) {
      closeCluster(tables, YEAR, tables.years + year)
      closeCluster(tables, WHOLE, WHOLE, tables.users + user)
    }
    extend(open, WHOLE, hits, signed, lastDay)
    if (places === null) continue
    if (entryDay > (open[(FIRST_LABEL + label) * OPEN_FIELDS + 3] ?? 0)) {
      closeCluster(tables, FIRST_LABEL + label, tables.labels + label)
    }
    extend(open, YEAR, hits, signed, lastDay)
    extend(open, FIRST_LABEL + label, hits, signed, lastDay)
    gains[places[call] ?? 0] = gain
  }
  closeAll(tables, user, year)
}

/** By label: 1 buy, −1 sell, 0 neither. */
const TOWARD: readonly number[] = [0, -1, -1, 0, 1, 1]

function toOutcome(
  { calls, market, windows, knownDay, isPriced }: SymbolCalls,
  call: number,
  toward: number,
): number {
  if (!isPriced) return NO_PRICE
  const entry = calls.entries[call] ?? NONE
  if (entry === NONE || toUsable(market, entry) > knownDay) return NO_ENTRY
  const exit = windows.exits[entry] ?? NONE
  if (exit === NONE || toKnown(market, windows, entry, exit) > knownDay) return OPEN
  if (isAcrossJump(market, entry, exit)) return JUMP
  return toward === 0 ? HOLD : SCORED
}

function count(outcomes: Int32Array, group: number, outcome: number): void {
  const place = group * OUTCOMES.length + outcome
  outcomes[place] = (outcomes[place] ?? 0) + 1
}

function extend(
  open: Float64Array,
  cluster: number,
  hits: number,
  excess: number,
  lastDay: number,
): void {
  const place = cluster * OPEN_FIELDS
  open[place] = (open[place] ?? 0) + 1
  open[place + 1] = (open[place + 1] ?? 0) + hits
  open[place + 2] = (open[place + 2] ?? 0) + excess
  open[place + 3] = lastDay
}

function closeAll(tables: Tables, user: number, year: number): void {
  const { places, open, labels, years, users } = tables
  closeCluster(tables, WHOLE, WHOLE, users + user)
  if (places === null) return
  closeCluster(tables, YEAR, years + year)
  for (let label = 0; label < years - labels; label += 1) {
    const cluster = FIRST_LABEL + label
    if (open[cluster * OPEN_FIELDS] !== 0) closeCluster(tables, cluster, labels + label)
  }
}

function closeCluster({ open, sums }: Tables, cluster: number, group: number, other = NONE): void {
  const place = cluster * OPEN_FIELDS
  const calls = open[place] ?? 0
  if (calls === 0) return
  const hits = (open[place + 1] ?? 0) / calls / 2
  const excess = (open[place + 2] ?? 0) / calls
  add(sums, group * FIELDS, hits, excess)
  if (other !== NONE) add(sums, other * FIELDS, hits, excess)
  open[place] = 0
  open[place + 1] = 0
  open[place + 2] = 0
  open[place + 3] = 0
}

function add(sums: Float64Array, place: number, hits: number, excess: number): void {
  const clusters = (sums[place] ?? 0) + 1
  const before = sums[place + 3] ?? 0
  const mean = before + (excess - before) / clusters
  sums[place] = clusters
  sums[place + 1] = (sums[place + 1] ?? 0) + hits
  sums[place + 2] = (sums[place + 2] ?? 0) + excess
  sums[place + 3] = mean
  sums[place + 4] = (sums[place + 4] ?? 0) + (excess - before) * (excess - mean)
}

function toBrief(calls: Calls, tables: Tables): Pick<Survey, 'own' | 'users'> {
  const users = new Map<number, Totals>()
  for (const [code, id] of calls.userIds.entries()) {
    if (tables.hasCalls[code] === 1) users.set(id, toTotals(tables, tables.users + code))
  }
  return { own: toGroup(tables, WHOLE), users }
}

const toGroups = (tables: Tables, values: readonly number[], from: number) =>
  new Map(
    values
      .map((value, code) => [value, toGroup(tables, from + code)] as const)
      .filter(([, group]) => group.outcomes.some((calls) => calls > 0)),
  )

function toGroup(tables: Tables, group: number): Group {
  const [from, to] = [group * OUTCOMES.length, (group + 1) * OUTCOMES.length]
  return { ...toTotals(tables, group), outcomes: [...tables.outcomes.subarray(from, to)] }
}

function toTotals({ sums }: Tables, group: number): Totals {
  const [clusters = 0, hits = 0, sum = 0, , squares = 0] = sums.subarray(group * FIELDS)
  return { clusters, hits, sum, squares }
}

function toScored(gains: Float64Array): CallGains {
  const places = new Int32Array(gains.length)
  const values = new Float64Array(gains.length)
  let size = 0
  for (let place = 0; place < gains.length; place += 1) {
    const gain = gains[place] ?? Number.NaN
    if (Number.isNaN(gain)) continue
    places[size] = place
    values[size] = gain
    size += 1
  }
  return { places: places.slice(0, size), gains: values.slice(0, size) }
}

export const NO_CALLS: Group = {
  clusters: 0,
  hits: 0,
  sum: 0,
  squares: 0,
  outcomes: OUTCOMES.map(() => 0),
}
