import { createHash } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import type { Progress } from '#lib/contract/answers/state.ts'
import { AppError } from '#lib/contract/faults.ts'
import { type DumpKind, editionName } from '#lib/contract/weekly-clock.ts'
import type { DumpDownload, Upstream } from '#lib/upstream/upstream.ts'
import { cutShort } from './csv-reader.ts'
import { createDumpCheck, type DumpContents } from './dump-check.ts'
import type { EditionFolder } from './edition-folder.ts'
import type { KeptEdition } from './sync.ts'

const BLOCK_BYTES = 262_144
/** A dump with fewer rows than this share of the one before is not believed: the service only ever adds. */
const SHRINK_LIMIT = 0.98

export type FetchEditionOptions = {
  kind: DumpKind
  upstream: Upstream
  folder: EditionFolder
  /** The edition that is kept until now. */
  previous: KeptEdition | null
  /** SHA-256 of what came last and ended without a line break: coming twice, it is whole. */
  openEnded: { sha256: string | null }
  now: () => number
  signal: AbortSignal
  onProgress: (progress: Progress) => void
}

/**
 * Fetches a dump by one request, verifies it while it is written, and keeps it. Throws AppError and leaves the folder
 * as it was where it does not come whole, is no CSV, or has lost rows. Its edition is that of the instant of asking.
 */
export async function fetchEdition(options: FetchEditionOptions): Promise<KeptEdition> {
  const { kind, upstream, folder, previous, now, signal, onProgress } = options
  const fetched_at = now()
  onProgress({ step: 'fetching', done: 0, total: null, unit: 'bytes' })
  const download = await upstream.fetchDump(kind, { signal })
  const part = folder.partPath(kind)
  try {
    const received = await receive(download, { kind, part, signal, onProgress })
    const { bytes, sha256, contents } = received
    refuseOpenEnd(received, download.totalBytes, options.openEnded)
    refuseShrunk(contents, previous)
    const { rows, columns, firstRows: first_rows } = contents
    const edition = editionName(fetched_at)
    const described = { kind, edition, rows, bytes, sha256, fetched_at, columns, first_rows }
    return await onDisk(() => folder.keep(described, previous?.sha256 === sha256 ? previous : null))
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined)
    throw error
  }
}

type Received = { bytes: number; sha256: string; contents: DumpContents }

async function receive(
  { body, totalBytes: total }: DumpDownload,
  options: Pick<FetchEditionOptions, 'kind' | 'signal' | 'onProgress'> & { part: string },
): Promise<Received> {
  const check = createDumpCheck(options.kind)
  const hash = createHash('sha256')
  const file = await onDisk(() => open(options.part, 'w', 0o600))
  let done = 0
  try {
    for await (const block of toBlocks(body)) {
      options.signal.throwIfAborted()
      hash.update(block)
      check.push(block)
      await onDisk(() => file.appendFile(block))
      done += block.length
      options.onProgress({ step: 'fetching', done, total, unit: 'bytes' })
    }
    const contents = check.end()
    await onDisk(() => file.sync())
    return { bytes: done, sha256: hash.digest('hex'), contents }
  } finally {
    await file.close()
  }
}

/** Small chunks gathered, so that a body of many does not cost a write each. */
async function* toBlocks(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length < BLOCK_BYTES) continue
    yield Buffer.concat(chunks)
    chunks = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(chunks)
}

/** Without a line break at its end only a length, or a second copy of the same bytes, says that a dump is whole. */
function refuseOpenEnd(
  { bytes, sha256, contents }: Received,
  totalBytes: number | null,
  openEnded: { sha256: string | null },
): void {
  if (totalBytes !== null && bytes !== totalBytes)
    throw cutShort('before the length it was said to have')
  if (contents.ended || totalBytes !== null || openEnded.sha256 === sha256) return
  openEnded.sha256 = sha256
  throw cutShort('without a line break')
}

function refuseShrunk({ rows }: DumpContents, previous: KeptEdition | null): void {
  if (!previous || rows >= previous.rows * SHRINK_LIMIT) return
  throw new AppError(
    'upstream_contract',
    `The new ${previous.kind} dump has ${rows} rows where that of ${previous.edition} has ${previous.rows}: the older one is kept.`,
  )
}

async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new AppError('not_ready', 'The dump could not be written to disk.', { cause })
  }
}
