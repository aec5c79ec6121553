import { formatCounted } from '#components/format/numbers.ts'
import { copyText } from '#components/ui/copy.tsx'
import type { MenuAnchor } from '#components/ui/menu.tsx'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { toCopiedCells, toCopiedCsv, toCopiedJson } from './cell-values.ts'
import type { FoundRow, RowContext } from './table-session.ts'

type Context = Pick<RowContext, 'table' | 'session' | 'rows'>

export function openRating(id: number, { session, change }: RowContext): void {
  if (session.get().open !== id) change((view) => ({ ...view, open: id }))
}

export function toggleRow({ id }: RatingRow, context: Context): void {
  const row = context.table.getCoreRowModel().rowsById[id]
  choose(() => row?.toggleSelected(), id, context)
}

export function selectTo({ id }: RatingRow, context: Context): void {
  const { anchor, cursor } = context.session.get()
  const from = anchor ?? cursor ?? id
  const chosen = rowsBetween(context.rows, from, id).map((row) => [row.id, true])
  choose(
    () => context.table.setRowSelection((old) => ({ ...old, ...Object.fromEntries(chosen) })),
    from,
    context,
  )
}

export function togglePage({ table }: Pick<Context, 'table'>): void {
  table.toggleAllRowsSelected()
}

export function clearSelection({ table, session }: Pick<Context, 'table' | 'session'>): void {
  table.resetRowSelection(true)
  session.set({ anchor: null, note: 'Nothing is selected.' })
}

/** The table does not know the cursor, so the session keeps the anchor. */
function choose(select: () => void, anchor: number, { session }: Context) {
  const { selected } = session.get()
  select()
  if (session.get().selected !== selected) session.set({ anchor })
}

const COPIES = { csv: 'as CSV', json: 'as JSON', cells: 'as cells' }
type CopyForm = keyof typeof COPIES

export async function copyRows(
  form: CopyForm,
  { session, shown, zone }: Pick<RowContext, 'session' | 'shown' | 'zone'>,
): Promise<void> {
  const rows = [...session.get().selected.values()]
  const text = { csv: toCopiedCsv, json: toCopiedJson, cells: cellsOf }[form](rows)
  function cellsOf(some: readonly RatingRow[]) {
    return toCopiedCells(some, shown, zone)
  }
  await copyNoted(text, `${formatCounted(rows.length, 'row')} ${COPIES[form]}`, session)
}

export async function copyNoted(
  text: string,
  what: string,
  session: RowContext['session'],
): Promise<void> {
  const copied = await copyText(text)
  session.set({
    note: copied ? `Copied ${what}.` : `The browser did not allow copying: ${what} not copied.`,
  })
}

/** Inclusive, in either order. */
export function rowsBetween(
  rows: readonly RatingRow[],
  from: number | null,
  to: number,
): readonly RatingRow[] {
  const places = [from, to].map((id) => rows.findIndex((row) => row.id === id))
  const [first = -1, last = -1] = places
  if (first < 0) return rows.filter(({ id }) => id === to)
  return rows.slice(Math.min(first, last), Math.max(first, last) + 1)
}

type MenuPlace = { cell: EventTarget | null; anchor: MenuAnchor }

export function openMenu(
  { element, row }: FoundRow,
  { session, shown }: RowContext,
  at?: MenuPlace,
) {
  const cell = at?.cell instanceof Element ? at.cell.closest('td') : null
  const column = cell ? (shown[cell.cellIndex] ?? null) : null
  const anchor = at?.anchor ?? element.cells[0] ?? element
  session.set({ cursor: row.id, menu: { row, column, origin: element, anchor } })
}
