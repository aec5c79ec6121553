import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { refuseUnfilled } from '#lib/archive/query/archive-state.ts'
import type { ArchiveReader, SignalOptions } from '#lib/archive/reader.ts'
import { createSingleFlight } from '#lib/async/single-flight.ts'
import type { TableSet } from '#lib/contract/api-queries.ts'
import { type WrittenDatabase, writeDatabase } from './write-database.ts'

/** `asOf`: seconds since 1970. */
type DatabaseFile = WrittenDatabase & { path: string; etag: string; asOf: number }

export type DatabaseFiles = {
  /**
   * The file of the current commit, or one that is at most a minute old. Throws AppError('busy')
   * if the disk is full or when aborted, AppError('not_ready') before the archive is filled.
   */
  ensure(options: SignalOptions & { tables: TableSet }): Promise<DatabaseFile>
}

type Options = {
  reader: ArchiveReader
  names: { version(): number; of(symbol: string): string | null }
  now: () => number
}

const FRESH_SECONDS = 60

/** One file of each set, in the folder of the exports, which each start empties. */
export function createDatabaseFiles({ reader, names, now }: Options): DatabaseFiles {
  const files = new Map<TableSet, DatabaseFile & { version: string }>()
  const flight = createSingleFlight<DatabaseFile>()

  const write = async (tables: TableSet, version: string, signal: AbortSignal) => {
    const asOf = now()
    const path = await reader.exportFolder.newPath()
    try {
      const toName = (symbol: string) => names.of(symbol)
      const file = await writeDatabase(reader, { path, tables, toName, at: asOf, signal })
      const etag = await loadTag(path)
      const before = files.get(tables)
      const written = { ...file, path, asOf, etag, version }
      files.set(tables, written)
      if (before) await rm(before.path, { force: true })
      return written
    } catch (error) {
      await Promise.all([path, `${path}.wal`].map(async (name) => await rm(name, { force: true })))
      throw error
    }
  }
  return {
    async ensure({ tables, signal }) {
      refuseUnfilled(reader.state())
      const version = `${reader.version()}.${names.version()}`
      const kept = files.get(tables)
      if (kept && (kept.version === version || now() - kept.asOf < FRESH_SECONDS)) return kept
      return await flight.join(tables, signal, async (alone) => await write(tables, version, alone))
    },
  }
}

/** Of the content: files of other nodes and earlier processes must differ. */
async function loadTag(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return `"${hash.digest('base64url').slice(0, 27)}"`
}
