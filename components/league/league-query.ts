import type { Issue } from '#lib/contract/faults.ts'
import type { HorizonName } from '#lib/contract/horizons.ts'
import { isProblem, parameter, type Sort } from '#lib/contract/query-parameters.ts'
import { querySchema, toParams } from '#lib/contract/query-schema.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'

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

/** Whether not every row of the league is asked for. */
export const isNarrowed = <C extends string>({
  q,
  peers_of = null,
  farther_than = null,
}: LeagueQuery<C>): boolean => q !== '' || peers_of !== null || farther_than !== null

const SELECTED = 'selected'

/** The selected rows in a league's address. Only symbols can be selected. */
export const selectedQuery = querySchema({
  [SELECTED]: parameter.symbols('The selected symbols, in order.', {
    excludes: false,
    isSorted: false,
  }),
})

/** How many rows can be selected at once. */
export type Selectable = { most: number }

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
  const read = selectedQuery.parameters[SELECTED].read(given)
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
  return toParams(selectedQuery, { [SELECTED]: only(...selected) }, params)
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
