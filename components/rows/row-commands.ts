import { ENGLISH_FORMATS, type Formats } from '#components/format/numbers.ts'
import { copyText } from '#components/ui/copy.tsx'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { toCopiedCells, toCopiedCsv, toCopiedJson } from './copied-rows.ts'
import type { RowContext } from './row-context.ts'
import {
  rowsBetween,
  SELECTED_MAX,
  type Selected,
  withoutRows,
  withRows,
  withToggledRow,
} from './selection.ts'

type Context = Pick<RowContext, 'session' | 'rows'>

/** Shows a rating in full beside the table. */
export function openRating(id: number, { session, change }: RowContext): void {
  if (session.get().open !== id) change((view) => ({ ...view, open: id }))
}

export function toggleRow(row: RatingRow, { session }: Context): void {
  const { selected } = session.get()
  choose(withToggledRow(selected, row), { session, anchor: row.id })
}

/** Selects from where the selection began up to that row, of the rows on this page. */
export function selectTo(row: RatingRow, { session, rows }: Context): void {
  const { selected, anchor, cursor } = session.get()
  const from = anchor ?? cursor ?? row.id
  choose(withRows(selected, rowsBetween(rows, from, row.id)), { session, anchor: from })
}

/** Selects every row of the page, or none of them where all are. */
export function togglePage({ session, rows }: Context): void {
  const { selected, anchor } = session.get()
  const hasAll = rows.length > 0 && rows.every(({ id }) => selected.has(id))
  choose(hasAll ? withoutRows(selected, rows) : withRows(selected, rows), { session, anchor })
}

export function clearSelection({ session }: Pick<Context, 'session'>): void {
  session.set({ selected: new Map(), anchor: null, note: 'Nothing is selected.' })
}

function choose(
  selected: Selected,
  { session, anchor }: Pick<Context, 'session'> & { anchor: number | null },
) {
  if (selected.size > SELECTED_MAX) {
    session.set({ note: `No more than ${SELECTED_MAX} rows can be selected: export them instead.` })
  } else session.set({ selected, anchor, note: '' })
}

const COPIES = { csv: 'as CSV', json: 'as JSON', cells: 'as cells' }
export type CopyForm = keyof typeof COPIES

/** Copies the selected rows, in the order they were chosen. What was selected stays so. */
export async function copyRows(
  form: CopyForm,
  { session, shown, zone }: Pick<RowContext, 'session' | 'shown' | 'zone'>,
  { formatCounted }: Formats = ENGLISH_FORMATS,
): Promise<void> {
  const rows = [...session.get().selected.values()]
  const text = { csv: toCopiedCsv, json: toCopiedJson, cells: cellsOf }[form](rows)
  function cellsOf(some: readonly RatingRow[]) {
    return toCopiedCells(some, shown, zone)
  }
  await copyNoted(text, `${formatCounted(rows.length, 'row')} ${COPIES[form]}`, session)
}

/** Copies a text and notes that it is copied, or why it is not. */
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
