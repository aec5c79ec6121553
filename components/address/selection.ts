import type { Issue } from '#lib/contract/faults.ts'
import { isProblem, parameter } from '#lib/contract/query-parameters.ts'
import { querySchema, toParams } from '#lib/contract/query-schema.ts'
import { only } from '#lib/contract/value-list.ts'

/** Keys of rows in the order of selection. */
export type Selection = {
  selected: readonly string[]
  most: number
  select: (names: readonly string[]) => void
}

const SELECTED = 'selected'

export const selectedQuery = querySchema({
  [SELECTED]: parameter.symbols('The selected symbols, in order.', {
    excludes: false,
    isSorted: false,
  }),
})

/** `most` 0: nothing is selected and `rest` keeps all parameters. */
export function splitSelected(params: URLSearchParams, most: number) {
  const given = params.getAll(SELECTED)
  const nothing = { selected: [] as readonly string[], rest: params, ignored: [] as Issue[] }
  if (most === 0 || given.length === 0) return nothing
  const rest = new URLSearchParams(params)
  rest.delete(SELECTED)
  const refuse = (message: string): Issue => ({ parameter: SELECTED, message })
  const read = selectedQuery.parameters[SELECTED].read(given)
  if (isProblem(read)) return { ...nothing, rest, ignored: [refuse(read.problem)] }
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
