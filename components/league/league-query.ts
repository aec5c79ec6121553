import type { Issue } from '#lib/contract/faults.ts'
import type { HorizonName } from '#lib/contract/horizons.ts'
import { toAsofParameter } from '#lib/contract/instant-text.ts'
import {
  isProblem,
  type Parameter,
  type Sort,
  toSortParameter,
} from '#lib/contract/query-schema.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { type Chosen, quoteValue } from '#lib/contract/value-list.ts'

/** What a league table's address asks for. */
export type LeagueQuery<C extends string> = {
  q: string
  /** Of users: the number of the one that the rows are compared with, and of the one that they are farther off than. */
  peers_of?: number | null
  farther_than?: number | null
  sort: Sort<C>
  /** Of users: within how many days their calls are scored. */
  horizon?: HorizonName
  /** Seconds since 1970; null is now. */
  asof: number | null
  page: number
  per_page: number
}

/** The canonical address of a league query: names in a fixed order, what `standard` says left out. */
export function toLeagueParams<C extends string>(
  query: LeagueQuery<C>,
  standard: LeagueQuery<C>,
): URLSearchParams {
  const params = new URLSearchParams()
  if (query.q !== standard.q) params.set('q', query.q)
  for (const name of ['peers_of', 'farther_than'] as const) {
    if (typeof query[name] === 'number') params.set(name, String(query[name]))
  }
  const sort = toSortParameter(query.sort, standard.sort)
  if (sort !== null) params.set('sort', sort)
  if (query.horizon !== undefined && query.horizon !== standard.horizon) {
    params.set('horizon', query.horizon)
  }
  if (query.asof !== null) params.set('asof', toAsofParameter(query.asof))
  if (query.page !== standard.page) params.set('page', String(query.page))
  if (query.per_page !== standard.per_page) params.set('per_page', String(query.per_page))
  return params
}

/** Whether not every row of the league is asked for. */
export const isNarrowed = <C extends string>({
  q,
  peers_of = null,
  farther_than = null,
}: LeagueQuery<C>): boolean => q !== '' || peers_of !== null || farther_than !== null

/** What of a league's address names the rows that are selected. */
const SELECTED = 'selected'

/** How many rows can be selected at once, and how the names of them are read. */
export type Selectable = { most: number; names: Parameter<Chosen<string>> }

/**
 * The rows that an address selects, by their names in the order of choosing; the address without them, and what was
 * wrong with them. Nothing is selected, and the address stays whole, where nothing can be.
 */
export function splitSelected(params: URLSearchParams, selectable: Selectable | null) {
  const given = params.getAll(SELECTED)
  const nothing = { selected: [] as readonly string[], rest: params, ignored: [] as Issue[] }
  if (selectable === null || given.length === 0) return nothing
  const rest = new URLSearchParams(params)
  rest.delete(SELECTED)
  const refuse = (message: string): Issue => ({ parameter: SELECTED, message })
  const read = selectable.names.read(given)
  if (isProblem(read)) return { ...nothing, rest, ignored: [refuse(read.problem)] }
  const { most } = selectable
  const isTooMany = read.only.length > most
  return {
    selected: read.only.slice(0, most),
    rest,
    ignored: [
      ...(read.not.length > 0 ? [refuse('takes nothing out')] : []),
      ...(isTooMany
        ? [refuse(`takes at most ${most} values; the first ${most} are selected`)]
        : []),
    ],
  }
}

/** An address that selects these rows as well. */
export function withSelected(params: URLSearchParams, selected: readonly string[]) {
  if (selected.length === 0) return params
  const all = new URLSearchParams(params)
  all.set(SELECTED, selected.map(quoteValue).join(','))
  return all
}

/** Those that are selected now, the ones that were so before first: a table knows them in no order of choosing. */
export function toSelected(
  now: Readonly<Record<string, boolean>>,
  before: readonly string[],
): string[] {
  const names = Object.keys(now).filter((name) => now[name])
  return [
    ...before.filter((name) => names.includes(name)),
    ...names.filter((name) => !before.includes(name)),
  ]
}

/** How many of the newest ratings a symbol's or a user's page shows. */
export const LATEST = 10

/** The newest few among the ratings of a query. */
export const toLatestQuery = (query: RatingsQuery): RatingsQuery => ({ ...query, per_page: LATEST })
