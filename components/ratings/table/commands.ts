import { ENGLISH_FORMATS, type Formats } from '#components/format/numbers.ts'
import { copyText } from '#components/ui/copy.tsx'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { toCopiedCells, toCopiedCsv, toCopiedJson } from './cell-values.ts'
import type { Hit, RowContext } from './table-session.ts'

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

type Selected = ReadonlyMap<number, RatingRow>

/** More than this nobody picks by hand, and the browser keeps them: that is what the export is for. */
const SELECTED_MAX = 5000

export function withToggledRow(selected: Selected, row: RatingRow): Selected {
  const next = new Map(selected)
  if (!next.delete(row.id)) next.set(row.id, row)
  return next
}

export const withRows = (selected: Selected, rows: readonly RatingRow[]): Selected =>
  new Map([...selected, ...rows.map((row) => [row.id, row] as const)])

export function withoutRows(selected: Selected, rows: readonly RatingRow[]): Selected {
  const away = new Set(rows.map(({ id }) => id))
  return new Map([...selected].filter(([id]) => !away.has(id)))
}

/** The rows from one to another, both included, whichever comes first; only the last where the first is not there. */
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

type At = { cell: EventTarget | null; place: DOMRectReadOnly | RowPlace }
type RowPlace = Pick<DOMRect, 'left' | 'top' | 'bottom' | 'width' | 'height'>

/** Offers what a cell holds, or all that its row holds where no cell is meant. */
export function openMenu({ element, row }: Hit, { session, shown, frame }: RowContext, at?: At) {
  const cell = at?.cell instanceof Element ? at.cell.closest('td') : null
  const column = cell ? (shown[cell.cellIndex] ?? null) : null
  session.set({
    cursor: row.id,
    menu: { row, column, origin: element, place: at?.place ?? toRowPlace(element, frame.current) },
  })
}

/** Below the beginning of a row, or of what is seen of it. */
function toRowPlace(element: Element, frame: Element | null): RowPlace {
  const { top, bottom, height, left } = element.getBoundingClientRect()
  const seenFrom = frame?.getBoundingClientRect().left ?? left
  return { top, bottom, height, left: Math.max(left, seenFrom) + 24, width: 0 }
}
