import type { ColumnId } from '#components/columns/column-facts.ts'
import { withFilter } from '#components/ratings/query-change.ts'
import { readSymbol } from '#lib/contract/parameters.ts'
import type { ListName } from '#lib/contract/ratings-query.ts'
import { ANY, type Chosen, isAny, only } from '#lib/contract/value-list.ts'
import { toCellWords } from './cell-values.ts'
import { isOnly, withExcluded } from './exclude.ts'
import { ANY_OF, type AskedActions, type FilterAction } from './filter-action.ts'
import { predictionActions } from './prediction-actions.ts'
import { createdActions, expiryActions } from './time-actions.ts'

/** The columns whose value is one of a list, and that list. */
const LISTS = {
  user_id: 'user',
  id: 'id',
  rating: 'rating',
  action: 'action',
  tally_agree: 'agree',
  tally_disagree: 'disagree',
  tally_comment: 'comments',
} as const satisfies Partial<Record<ColumnId, ListName>>

/** How the value of a cell can become a filter. What holds already is not offered; what it replaces gives way. */
export function toFilterActions(column: ColumnId, asked: AskedActions): FilterAction[] {
  switch (column) {
    case 'symbol': {
      const key = readSymbol(asked.row.symbol)
      // A service may send a symbol that no address can name.
      return typeof key === 'string' ? listActions({ ...asked, column, list: 'symbol' }, key) : []
    }
    case 'prediction':
      return predictionActions(asked)
    case 'created_at':
      return createdActions(asked)
    case 'expired_at':
      return expiryActions(asked)
    default:
      return listActions({ ...asked, column, list: LISTS[column] }, asked.row[column])
  }
}

type Listed<L extends ListName> = AskedActions & { column: ColumnId; list: L }

function listActions<
  L extends 'symbol' | (typeof LISTS)[keyof typeof LISTS],
  T extends string | number,
>({ row, view, reading, column, list }: Listed<L>, value: T): FilterAction[] {
  const words = toCellWords(row, column, reading)
  const chosen: Chosen<string | number> = view[list]
  const actions: FilterAction[] = [
    {
      label: `Not ${words}`,
      to: (last) => {
        const there: Chosen<string | number> = last[list]
        return withFilter(last, { [list]: withExcluded(there, value) })
      },
    },
  ]
  if (!isOnly(chosen, value)) {
    actions.unshift({
      label: `Only ${words}`,
      to: (last) => withFilter(last, { [list]: only(value) }),
    })
  }
  if (!isAny(chosen)) {
    actions.push({ label: ANY_OF[column], to: (last) => withFilter(last, { [list]: ANY }) })
  }
  return actions
}
