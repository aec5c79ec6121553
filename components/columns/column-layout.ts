import { COLUMN_IDS, type ColumnId, knownColumns } from './column-facts.ts'
import type { TableSettings } from './table-settings.ts'

/** Which columns are shown and in which order; `order` holds the hidden ones too. */
export type Layout = Pick<TableSettings, 'order' | 'hidden'>

/** What the page shows: the columns that the address names, where it names any that there are, or the reader's own. */
export function toLayout(settings: Layout, named: readonly string[]): Layout {
  const shown = knownColumns(named)
  if (shown.length === 0) return settings
  const hidden = settings.order.filter((id) => !shown.includes(id))
  return { order: [...shown, ...hidden], hidden }
}

export const shownColumns = ({ order, hidden }: Layout): ColumnId[] =>
  order.filter((id) => !hidden.includes(id))

/** The column shown or hidden; the last one that is shown stays. */
export function withToggled({ order, hidden }: Layout, id: ColumnId): Layout {
  if (hidden.includes(id)) return { order, hidden: hidden.filter((other) => other !== id) }
  return hidden.length >= order.length - 1 ? { order, hidden } : { order, hidden: [...hidden, id] }
}

/** The column so many places further (or nearer, where negative) in the order. */
export function withMoved({ order, hidden }: Layout, id: ColumnId, steps: number): Layout {
  const rest = order.filter((other) => other !== id)
  const to = Math.max(0, Math.min(rest.length, order.indexOf(id) + steps))
  return { order: [...rest.slice(0, to), id, ...rest.slice(to)], hidden }
}

/** The column dropped before or after another one. */
export function withDropped(
  layout: Layout,
  id: ColumnId,
  { at, isAfter }: { at: ColumnId; isAfter: boolean },
): Layout {
  const { order, hidden } = layout
  if (id === at) return layout
  const rest = order.filter((other) => other !== id)
  const to = rest.indexOf(at) + (isAfter ? 1 : 0)
  return { order: [...rest.slice(0, to), id, ...rest.slice(to)], hidden }
}

/** Is it what a newcomer finds? */
export const isDefaultLayout = ({ order, hidden }: Layout): boolean =>
  hidden.length === 0 && order.join() === COLUMN_IDS.join()
