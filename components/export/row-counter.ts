import type { ExportFormat } from '#lib/contract/export-choice.ts'

/** What an export said of itself before its first byte. `bytes` is null where only the rows are known. */
export type Declared = { rows: number; bytes: number | null }

/** Counts the rows of a file as its bytes come, without keeping them. */
export type RowCounter = {
  add(chunk: Uint8Array): void
  /** So far; null where the format does not tell before its end. */
  rows(): number | null
  /** Whether what came is the whole of what was declared: every row, and the end that the format has. */
  isWhole(declared: Declared): boolean
}

export const createRowCounter = (format: ExportFormat): RowCounter => COUNTERS[format]()

const COUNTERS: Record<ExportFormat, () => RowCounter> = {
  csv: countRecords,
  json: countDocument,
  ndjson: countLines,
  parquet: countBytes,
}

const NEWLINE = 10
const QUOTE = 34

/** Records of CSV: lines that end outside quotes, the header not counted. */
function countRecords(): RowCounter {
  let [lines, isQuoted, last] = [0, false, NEWLINE]
  return {
    add(chunk) {
      for (const byte of chunk) {
        if (byte === QUOTE) isQuoted = !isQuoted
        else if (byte === NEWLINE && !isQuoted) lines += 1
      }
      last = chunk.at(-1) ?? last
    },
    rows: () => Math.max(0, lines - 1),
    isWhole: ({ rows }) => !isQuoted && last === NEWLINE && lines === rows + 1,
  }
}

/** One object a line. */
function countLines(): RowCounter {
  let [lines, last] = [0, NEWLINE]
  return {
    add(chunk) {
      lines += newlines(chunk)
      last = chunk.at(-1) ?? last
    },
    rows: () => lines,
    isWhole: ({ rows }) => last === NEWLINE && lines === rows,
  }
}

/** One row a line between a first and a last one; the last one repeats how many there are. */
function countDocument(): RowCounter {
  let lines = 0
  const end = keepEnd(64)
  const hasEnded = () => /\],"rows":\d+\}\n$/.test(end.text())
  return {
    add(chunk) {
      lines += newlines(chunk)
      end.add(chunk)
    },
    rows: () => Math.max(0, lines - (hasEnded() ? 2 : 1)),
    isWhole: ({ rows }) => lines === rows + 2 && end.text().endsWith(`\n],"rows":${rows}}\n`),
  }
}

const MAGIC = 'PAR1'

/** Parquet begins and ends with four letters; how many rows there are stands in a part that only readers read. */
function countBytes(): RowCounter {
  let [bytes, begin] = [0, '']
  const end = keepEnd(MAGIC.length)
  return {
    add(chunk) {
      if (begin.length < MAGIC.length)
        begin += toText(chunk.subarray(0, MAGIC.length - begin.length))
      bytes += chunk.byteLength
      end.add(chunk)
    },
    rows: () => null,
    isWhole: (declared) => begin === MAGIC && end.text() === MAGIC && bytes === declared.bytes,
  }
}

function newlines(chunk: Uint8Array): number {
  let count = 0
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) count += 1
  return count
}

/** The last so many bytes of what came, as text. */
function keepEnd(length: number) {
  let text = ''
  return {
    add(chunk: Uint8Array) {
      text = (text + toText(chunk.subarray(-length))).slice(-length)
    },
    text: () => text,
  }
}

/** Byte by byte: what is looked for is ASCII. */
const toText = (bytes: Uint8Array) => String.fromCharCode(...bytes)
