import type { Extent } from '#components/symbols/ranges.ts'
import type { Calls, CallsAnswer } from '#lib/contract/answers/user-record.ts'
import { placeCalls, toCallsExtent } from './calls-layout.ts'
import { ROWS_FIRST } from './calls-sizes.ts'
import type { UserView } from './user-view.ts'

type Shown = {
  extent: Extent
  /** With the symbols whose rows are displayed. */
  calls: Calls
  /** How many symbols have a call in the range. */
  found: number
}

/** What a view displays of a member's calls. */
export function selectShown(
  { data, meta }: CallsAnswer,
  { range, rows }: Pick<UserView, 'range' | 'rows'>,
): Shown {
  const extent = toCallsExtent(data, range, meta.as_of)
  const inRange = new Set(placeCalls(data, extent, 1).map((row) => row.symbol))
  const symbols = data.symbols.filter((row) => inRange.has(row.symbol))
  const shown = rows === 'all' ? symbols : symbols.slice(0, ROWS_FIRST)
  return { extent, calls: { ...data, symbols: shown }, found: symbols.length }
}
