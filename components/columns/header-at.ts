import type { ColumnId } from './column-facts.ts'
import type { Columns } from './use-columns.ts'

/** A column's header that something is done with. */
export type HeaderAt = { header: HTMLTableCellElement; id: ColumnId; columns: Columns }
