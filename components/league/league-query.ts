import type { Issue } from '#lib/contract/faults.ts'
import type { HorizonName } from '#lib/contract/horizons.ts'
import { isProblem, parameter, type Sort } from '#lib/contract/query-parameters.ts'
import { querySchema, toParams } from '#lib/contract/query-schema.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'

export type LeagueQuery<C extends string> = {
  q: string
  peers_of?: number | null
  farther_than?: number | null
  sort: Sort<C>
  horizon?: HorizonName
  /** Seconds since 1970; null is now. */
  asof: number | null
  page: number
  per_page: number
}

export const isNarrowed = <C extends string>({
  q,
  peers_of = null,
  farther_than = null,
}: LeagueQuery<C>): boolean => q !== '' || peers_of !== null || farther_than !== null

const SELECTED = 'selected'

export const selectedQuery = querySchema({
  [SELECTED]: parameter.symbols('The selected symbols, in order.', {
    excludes: false,
    isSorted: false,
  }),
})

export type Selectable = { most: number }

/**
 * Names in the order of selection. `selectable` null: nothing is selected and `rest` keeps all
 * parameters.
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
      ...(read.not.length > 0 ? [refuse('cannot exclude values')] : []),
      ...(isTooMany
        ? [refuse(`takes at most ${most} values; the first ${most} are selected`)]
        : []),
    ],
  }
}

export function withSelected(params: URLSearchParams, selected: readonly string[]) {
  if (selected.length === 0) return params
  return toParams(selectedQuery, { [SELECTED]: only(...selected) }, params)
}

/** Earlier selections first. */
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

export const LATEST = 10

export const toLatestQuery = (query: RatingsQuery): RatingsQuery => ({ ...query, per_page: LATEST })
