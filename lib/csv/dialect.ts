import Papa from 'papaparse'
import { unifyLineEnds } from './line-ends.ts'

export type Dialect = {
  delimiter: string
  /** UTF-16 units. */
  skippedLength: number
  skippedLines: number
}

const DELIMITERS = [',', ';', '\t', '|'] as const

const SEP_LINE = /^"?sep=([^"\r\n])"?$/i
/** `#,symbol` names a column “#”. */
const COMMENT = /^#(?![,;\t|])/

export function selectDialect(sample: string, isWhole: boolean): Dialect {
  let [skippedLength, skippedLines, named]: [number, number, string | null] = [0, 0, null]
  let comment: { text: string; length: number; lines: number } | null = null
  for (;;) {
    const { text, length } = takeLine(sample, skippedLength)
    const separator: string | undefined = SEP_LINE.exec(text)?.[1]
    const isComment = COMMENT.test(text)
    if (length === 0 || !(isComment || separator !== undefined || text.trim() === '')) break
    named = separator ?? named
    if (isComment) comment = { text, length: skippedLength, lines: skippedLines }
    skippedLength += length
    skippedLines += 1
  }
  const body = sample.slice(skippedLength)
  const delimiter = named ?? selectDelimiter(body, isWhole)
  if (comment && isHeader(comment.text, takeLine(body, 0).text, delimiter)) {
    return { delimiter, skippedLength: comment.length + 1, skippedLines: comment.lines }
  }
  return { delimiter, skippedLength, skippedLines }
}

function takeLine(text: string, from: number): { text: string; length: number } {
  const end = /\r*\n|\r/g
  end.lastIndex = from
  const match = end.exec(text)
  const to = match ? match.index : text.length
  return { text: text.slice(from, to), length: (match ? end.lastIndex : text.length) - from }
}

function isHeader(comment: string, below: string, delimiter: string): boolean {
  const names = comment.slice(1).split(delimiter)
  const cells = below.split(delimiter)
  return (
    names.length > 1 &&
    names.length === cells.length &&
    names.every((name) => /^\s*\p{L}/u.test(name)) &&
    cells.some((cell) => /^\s*[+-]?\d/.test(cell))
  )
}

const SAMPLE_RECORDS = 50

/** Most records of the header's width; ties go to more cells. */
function selectDelimiter(sample: string, isWhole: boolean): string {
  let best: { delimiter: string; matching: number; columns: number } | null = null
  for (const delimiter of DELIMITERS) {
    const text = unifyLineEnds(sample, delimiter)
    const parser = new Papa.Parser({ delimiter, newline: '\n', preview: SAMPLE_RECORDS })
    const { data }: Papa.ParseResult<string[]> = parser.parse(text, 0, !isWhole)
    const lengths = data.filter((cells) => cells.some((cell) => cell !== '')).map(countCells)
    const [columns = 0, ...rest] = lengths
    if (columns < 2) continue
    const matching = rest.filter((length) => length === columns).length
    const isBetter =
      !best || matching > best.matching || (matching === best.matching && columns > best.columns)
    if (isBetter) best = { delimiter, matching, columns }
  }
  return best?.delimiter ?? ','
}

export function countCells(cells: readonly string[]): number {
  let count = cells.length
  while (count > 0 && cells[count - 1] === '') count -= 1
  return count
}
