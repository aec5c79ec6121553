type Change<S> = (state: S | ((state: S) => S)) => void

export type TableColumn = {
  id: string
  columnDef: { header?: unknown }
  getSize: () => number
  resetSize: () => void
  getCanHide: () => boolean
  getIsVisible: () => boolean
  toggleVisibility: () => void
}

/** What the controls of columns need of a table. */
export type ColumnTable = {
  getAllLeafColumns: () => readonly TableColumn[]
  getVisibleLeafColumns: () => readonly TableColumn[]
  getFlatHeaders: () => readonly {
    column: { id: string }
    getResizeHandler: () => (event: unknown) => void
  }[]
  getColumn: (id: string) => TableColumn | undefined
  setColumnOrder: Change<string[]>
  setColumnSizing: Change<Record<string, number>>
  atoms: { columnSizing: { get: () => Record<string, number> } }
}

export function withColumnAt(order: readonly string[], id: string, place: number): string[] {
  const rest = order.filter((other) => other !== id)
  const to = Math.max(0, place)
  return [...rest.slice(0, to), id, ...rest.slice(to)]
}
