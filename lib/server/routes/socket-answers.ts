import 'server-only'
import { EXPORTS_MAX } from '#lib/api/export-answer.ts'
import { every } from '#lib/async/every.ts'
import { dumpOperations } from '#lib/contract/operations/files.ts'
import type { Operation } from '#lib/contract/operations/operation.ts'
import { selectAddress } from '#lib/contract/operations/operations.ts'
import { processLog } from '#lib/server/runtime/runtime.ts'
import { answerEvents, answerExport, mountService, toPath } from './node-handlers.ts'
import type { SocketAnswers } from './on-socket.ts'
import { answerPreview } from './previews.ts'
import { sendDatabase, sendEdition, sendEditionFile } from './send-file.ts'
import { createTransfers, type TransferOptions } from './transfers.ts'

/** About 8 kB/s over a minute. */
const RATE = { leastBytes: 512 * 1024, leastMs: 60_000, idleMs: 10_000 }

const DOWNLOADS: TransferOptions['limits'] = { all: 256, client: 64 }

const EXPORTS: TransferOptions['limits'] = { all: EXPORTS_MAX, client: EXPORTS_MAX / 2 }

const openTransfers = (what: string, limits: TransferOptions['limits']) =>
  createTransfers({
    ...RATE,
    limits,
    nowMs: () => performance.now(),
    every: (ms, run) => every(ms / 1000, run),
    onGivenUp: (client) =>
      processLog()('a download that was read too slowly was ended', { what, client }),
  })

export function createSocketAnswers(): SocketAnswers {
  const downloads = openTransfers('download', DOWNLOADS)
  const exports = openTransfers('export', EXPORTS)
  const exported = exports.limit(answerExport)
  const edition = downloads.limit(sendEditionFile)
  const database = downloads.limit(sendDatabase)
  return {
    export: (incoming, outgoing) =>
      (isAt(incoming.url, dumpOperations.getDatabase) ? database : exported)(incoming, outgoing),
    edition: (incoming, outgoing) =>
      (isAt(incoming.url, dumpOperations.getEdition) ? edition : exported)(incoming, outgoing),
    postsDump: downloads.limit(sendEdition('posts')),
    lookupsDump: downloads.limit(sendEdition('lookups')),
    events: answerEvents,
    service: mountService,
    preview: answerPreview,
  }
}

const isAt = (url: string | undefined, { address }: Pick<Operation, 'address'>) =>
  selectAddress(toPath(url))?.address === address
