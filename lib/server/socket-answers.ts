import 'server-only'
import { EXPORTS_MAX } from '#lib/api/export-answer.ts'
import {
  streamCalls,
  streamDifferences,
  streamLookups,
  streamRatings,
  streamSymbols,
  streamUsers,
} from '#lib/api/exports.ts'
import { streamEvents, streamQuarantine } from '#lib/api/status.ts'
import { every } from './create-runtime.ts'
import { mountEvents, mountExport, mountService } from './node-handlers.ts'
import type { SocketAnswers } from './on-socket.ts'
import { mountPreview } from './previews.ts'
import { processLog } from './runtime.ts'
import { sendEdition, sendEditionFile } from './send-edition.ts'
import { createTransfers, type TransferOptions } from './transfers.ts'

/** Some 8 kB a second, seen over a minute: slower than any network that a file of this size is fetched over. */
const RATE = { leastBytes: 512 * 1024, leastMs: 60_000, idleMs: 10_000 }

/** A download costs a file and what is read ahead of it. */
const DOWNLOADS: TransferOptions['limits'] = { all: 256, client: 64 }

/** An export holds a snapshot of the archive. */
const EXPORTS: TransferOptions['limits'] = { all: EXPORTS_MAX, client: EXPORTS_MAX / 2 }

const openTransfers = (what: string, limits: TransferOptions['limits']) =>
  createTransfers({
    ...RATE,
    limits,
    nowMs: () => performance.now(),
    every: (ms, run) => every(ms / 1000, run),
    onGivenUp: (client) =>
      processLog()('a reader who took too little of a file was given up', { what, client }),
  })

/** Every answer that is written straight onto the socket. */
export const createSocketAnswers = (): SocketAnswers => {
  const downloads = openTransfers('download', DOWNLOADS)
  const exports = openTransfers('export', EXPORTS)
  const mountFile: typeof mountExport = (endpoint) => exports.limit(mountExport(endpoint))
  return {
    'ratings.csv': mountFile(streamRatings('csv')),
    'ratings.json': mountFile(streamRatings('json')),
    'ratings.ndjson': mountFile(streamRatings('ndjson')),
    'ratings.parquet': mountFile(streamRatings('parquet')),
    'calls.csv': mountFile(streamCalls('csv')),
    'calls.json': mountFile(streamCalls('json')),
    'calls.ndjson': mountFile(streamCalls('ndjson')),
    'calls.parquet': mountFile(streamCalls('parquet')),
    'lookups.csv': mountFile(streamLookups('csv')),
    'lookups.json': mountFile(streamLookups('json')),
    'lookups.ndjson': mountFile(streamLookups('ndjson')),
    'lookups.parquet': mountFile(streamLookups('parquet')),
    'editions/differences.csv': mountFile(streamDifferences('csv')),
    'editions/differences.json': mountFile(streamDifferences('json')),
    'editions/differences.ndjson': mountFile(streamDifferences('ndjson')),
    'editions/differences.parquet': mountFile(streamDifferences('parquet')),
    'symbols.csv': mountFile(streamSymbols('csv')),
    'symbols.json': mountFile(streamSymbols('json')),
    'symbols.ndjson': mountFile(streamSymbols('ndjson')),
    'users.csv': mountFile(streamUsers('csv')),
    'users.json': mountFile(streamUsers('json')),
    'users.ndjson': mountFile(streamUsers('ndjson')),
    'quarantine.ndjson': mountFile(streamQuarantine),
    events: mountEvents(streamEvents),
    service: mountService,
    editions: downloads.limit(sendEditionFile),
    'v1/posts/dumps': downloads.limit(sendEdition('posts')),
    'v1/lookups/dumps': downloads.limit(sendEdition('lookups')),
    preview: mountPreview,
  }
}
