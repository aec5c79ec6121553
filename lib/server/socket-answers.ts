import 'server-only'
import { streamRatings, streamSymbols, streamUsers } from '#lib/api/exports.ts'
import { streamEvents, streamQuarantine } from '#lib/api/status.ts'
import { mountEvents, mountExport, mountService } from './node-handlers.ts'
import type { SocketAnswers } from './on-socket.ts'
import { mountPreview } from './previews.ts'
import { sendEdition, sendEditionFile } from './send-edition.ts'

/** Every answer that is written straight onto the socket. */
export const createSocketAnswers = (): SocketAnswers => ({
  'ratings.csv': mountExport(streamRatings('csv')),
  'ratings.json': mountExport(streamRatings('json')),
  'ratings.ndjson': mountExport(streamRatings('ndjson')),
  'ratings.parquet': mountExport(streamRatings('parquet')),
  'symbols.csv': mountExport(streamSymbols('csv')),
  'symbols.json': mountExport(streamSymbols('json')),
  'symbols.ndjson': mountExport(streamSymbols('ndjson')),
  'users.csv': mountExport(streamUsers('csv')),
  'users.json': mountExport(streamUsers('json')),
  'users.ndjson': mountExport(streamUsers('ndjson')),
  'quarantine.ndjson': mountExport(streamQuarantine),
  events: mountEvents(streamEvents),
  service: mountService,
  editions: sendEditionFile,
  'v1/posts/dumps': sendEdition('posts'),
  'v1/lookups/dumps': sendEdition('lookups'),
  preview: mountPreview,
})
