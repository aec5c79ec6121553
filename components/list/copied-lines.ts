/** One line per row, tabs between cells. Spreadsheets and editors read each cell as one. */
export const toCopiedLines = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => cells.map(toCopiedCell).join('\t')).join('\n')

/** A tab or line break would start a new cell, and a quote would go on to the next one. */
function toCopiedCell(text: string): string {
  const line = text.replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
  return line.includes('"') ? `"${line.replaceAll('"', '""')}"` : line
}

/**
 * A selection of several cells of one table is copied as their rows: browsers start a line at every
 * flex item of a cell.
 */
export function listenForCopies(): () => void {
  document.addEventListener('copy', copySelectedCells)
  return () => document.removeEventListener('copy', copySelectedCells)
}

function copySelectedCells(event: ClipboardEvent): void {
  const range = selectRange()
  const rows = range && selectCells(range)
  if (!rows || !event.clipboardData || event.defaultPrevented) return
  const texts = rows.map((cells) => cells.map(toVisible))
  event.preventDefault()
  event.clipboardData.setData('text/plain', toCopiedLines(texts))
  event.clipboardData.setData('text/html', toHtml(texts))
}

function selectRange(): Range | null {
  const selection = window.getSelection()
  return selection?.type === 'Range' ? selection.getRangeAt(0) : null
}

type Cell = HTMLTableCellElement

/** Null if the selection has text beside the table, or one cell alone. */
function selectCells(range: Range): Cell[][] | null {
  const table = [range.startContainer, range.endContainer]
    .map((node) => (node instanceof Element ? node : node.parentElement)?.closest('table'))
    .find((found) => found != null)
  if (!table || toText(range, table) !== range.toString().trim()) return null
  const rows = [...table.rows]
    .filter((row) => !row.ariaHidden && range.intersectsNode(row))
    .map((row) => [...row.cells].filter((cell) => isSelected(range, cell)))
    .filter((cells) => cells.length > 0)
  return rows.flat().length > 1 ? rows : null
}

/** Hidden cells have no box; a boundary may touch a cell without any of its text. */
const isSelected = (range: Range, cell: Cell) =>
  cell.getClientRects().length > 0 &&
  range.intersectsNode(cell) &&
  (toText(range, cell) !== '' || cell.textContent.trim() === '')

/** The selected text within an element. */
function toText(range: Range, within: Element): string {
  const part = range.cloneRange()
  if (!within.contains(part.startContainer)) part.setStart(within, 0)
  if (!within.contains(part.endContainer)) part.setEnd(within, within.childNodes.length)
  return part.toString().trim()
}

// biome-ignore lint/performance/useDomNodeTextContent: hidden text is not copied, and lines divide words
const toVisible = (cell: Cell) => cell.innerText.replaceAll(/\s+/g, ' ').trim()

function toHtml(rows: readonly (readonly string[])[]): string {
  const table = document.createElement('table')
  for (const texts of rows) {
    const row = table.insertRow()
    for (const text of texts) row.insertCell().textContent = text
  }
  return table.outerHTML
}
