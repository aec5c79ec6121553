import { AppError } from '#lib/contract/faults.ts'
import { toByteStream } from './byte-stream.ts'
import type { ApiDeps, TakeSlot } from './endpoint.ts'

const IDLE_MS = 60_000
const WHOLE_MS = 3_600_000

export type Chunks = AsyncGenerator<Uint8Array, void, undefined>

type Sent = {
  deps: Pick<ApiDeps, 'setTimer'>
  request: Request
  headers: Headers
  /** Called once, not for HEAD; may still set headers. */
  chunks: () => Chunks | Promise<Chunks>
  /** Called once it is over, but not where this fails. */
  onEnd: () => void
}

/** A file of unknown length, sent as it is made. It fails before its first row with an answer that says so. */
export async function sendChunks({ deps, request, headers, chunks, onEnd }: Sent) {
  if (request.method === 'HEAD') {
    // Without a length: programs that would read a file in ranges, each of another edition, fetch it whole instead.
    onEnd()
    return new Response(null, { headers })
  }
  const body = toByteStream(await begin(await chunks()), {
    setTimer: deps.setTimer,
    idleMs: IDLE_MS,
    wholeMs: WHOLE_MS,
    signal: request.signal,
    onEnd,
  })
  return new Response(body, { headers })
}

/** The same with its first rows made already: what fails at once is an answer that says so, not one that breaks off. */
async function begin(chunks: Chunks): Promise<Chunks> {
  const first = [await chunks.next(), await chunks.next()]
  return (async function* () {
    try {
      for (const { done, value } of first) {
        if (done) return
        yield value
      }
      yield* chunks
    } finally {
      await chunks.return()
    }
  })()
}

const NEWLINE = '\r\n'
const BOM = '\ufeff'

type Lines = AsyncGenerator<string[], void, undefined>
type Texts = AsyncGenerator<string, void, undefined>

/** A header and a record a row, each with its line end. Fails at its end where there were not as many as declared. */
export async function* toCsvTexts(
  lines: Lines,
  { columns, bom, rows }: { columns: readonly string[]; bom: boolean; rows: number },
): Texts {
  yield `${bom ? BOM : ''}${columns.join(',')}${NEWLINE}`
  for await (const batch of counted(lines, rows)) yield batch.join(NEWLINE) + NEWLINE
}

/** One object a line. */
export async function* toNdjsonTexts(lines: Lines, rows: number): Texts {
  for await (const batch of counted(lines, rows)) yield `${batch.join('\n')}\n`
}

/**
 * One document in the envelope of all answers, one row a line. The number of rows stands before and after them, and
 * what follows the last one is written only once all of them were.
 */
export async function* toJsonTexts(lines: Lines, meta: { rows: number }): Texts {
  yield `{"success":true,"code":200,"meta":${JSON.stringify(meta)},"data":[`
  let before = '\n'
  for await (const batch of counted(lines, meta.rows)) {
    yield before + batch.join(',\n')
    before = ',\n'
  }
  yield `\n],"rows":${meta.rows}}\n`
}

async function* counted(lines: Lines, rows: number): Lines {
  let written = 0
  for await (const batch of lines) {
    written += batch.length
    yield batch
  }
  if (written !== rows) throw new Error(`${written} rows were written of ${rows} declared`)
}

/** At once. Each holds a snapshot of the archive and some megabytes for as long as its reader takes. */
const EXPORTS_MAX = 16
const RETRY_SECONDS = 10

export function createSlots(): TakeSlot {
  const taken = new Set<symbol>()
  return () => {
    if (taken.size >= EXPORTS_MAX) {
      const message = `More than ${EXPORTS_MAX} exports at once are too many: try again soon.`
      throw new AppError('busy', message, { retryAfterSeconds: RETRY_SECONDS })
    }
    const slot = Symbol('export')
    taken.add(slot)
    return () => void taken.delete(slot)
  }
}
