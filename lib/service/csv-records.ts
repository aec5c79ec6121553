import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import Papa from 'papaparse'
import { SourceProblem } from './source.ts'

/** One record of a CSV file: its cells, the line that it begins on (from 1), and what is wrong with its quotes. */
export type CsvRecord = { line: number; cells: string[]; problem: string | null }

/**
 * Reads a CSV file (UTF-8, with or without BOM, any line ending, quoted newlines) in batches of records. Empty lines
 * are left out. Throws SourceProblem where it is not UTF-8, and what the file system throws.
 */
export async function* readCsv(path: string): AsyncGenerator<CsvRecord[]> {
  const parsed = toParsedChunks(Readable.from(decode(createReadStream(path))))
  let line = 1
  for await (const { data, errors } of parsed) {
    const problems = new Map(errors.map(({ row, message }) => [row, message]))
    const records: CsvRecord[] = []
    data.forEach((cells, index) => {
      if (cells.length > 1 || cells[0] !== '') {
        records.push({ line, cells, problem: problems.get(index) ?? null })
      }
      line += 1 + countNewlines(cells)
    })
    yield records
  }
}

type ParsedChunk = Pick<Papa.ParseResult<string[]>, 'data' | 'errors'>

// A chunk of bytes may end in the middle of a character: text has to be decoded before Papa sees it.
async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new SourceProblem('the CSV is not UTF-8', { cause: error })
  }
}

/** Papa's callbacks as an iteration: it is paused while its last chunk is being used. */
async function* toParsedChunks(text: Readable): AsyncGenerator<ParsedChunk> {
  let deliver: (event: ParsedChunk | null) => void = () => {}
  let fail: (error: Error) => void = () => {}
  const nextEvent = () =>
    new Promise<ParsedChunk | null>((resolve, reject) => {
      deliver = resolve
      fail = reject
    })
  let resume = () => {}
  let event = nextEvent()
  Papa.parse<string[], Readable>(text, {
    delimiter: ',',
    chunk({ data, errors }, parser) {
      parser.pause()
      resume = () => parser.resume()
      deliver({ data, errors })
    },
    complete: () => deliver(null),
    error: (error) => fail(error),
  })
  try {
    for (let chunk = await event; chunk !== null; chunk = await event) {
      yield chunk
      event = nextEvent()
      resume()
    }
  } finally {
    text.destroy()
  }
}

function countNewlines(cells: readonly string[]): number {
  let count = 0
  for (const cell of cells) {
    if (!cell.includes('\n') && !cell.includes('\r')) continue
    count += cell.split(/\r\n|\n|\r/).length - 1
  }
  return count
}
