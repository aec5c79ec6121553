import 'server-only'
import { selectPermission } from '#lib/access/route-permissions.ts'
import { EXPORTS_MAX } from '#lib/api/export-answer.ts'
import { sendFailure } from '#lib/api/respond.ts'
import { every } from '#lib/async/poller.ts'
import { requirePermission } from '#lib/contract/caller.ts'
import { AppError, toAppError } from '#lib/contract/faults.ts'
import { dumpOperations } from '#lib/contract/operations/files.ts'
import type { Operation } from '#lib/contract/operations/operation.ts'
import { selectAddress } from '#lib/contract/operations/operations.ts'
import { pathOf, requireContext } from '../gate/request-context.ts'
import { processLog } from '../runtime/runtime.ts'
import { answerEvents, answerExport, mountService, sendShort, toPath } from './node-handlers.ts'
import type { SocketAnswers, SocketHandler } from './on-socket.ts'
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
    export: permitted((incoming, outgoing) =>
      (isAt(incoming.url, dumpOperations.getDatabase) ? database : exported)(incoming, outgoing),
    ),
    edition: permitted((incoming, outgoing) =>
      (isAt(incoming.url, dumpOperations.getEdition) ? edition : exported)(incoming, outgoing),
    ),
    postsDump: permitted(downloads.limit(sendEdition('posts'))),
    lookupsDump: permitted(downloads.limit(sendEdition('lookups'))),
    events: permitted(answerEvents),
    service: permitted(mountService),
  }
}

const permitted =
  (handler: SocketHandler): SocketHandler =>
  async (incoming, outgoing) => {
    try {
      const context = requireContext()
      const permission = selectPermission(pathOf(context), incoming.method)
      if (permission === null) throw new AppError('not_found', 'No such address.')
      requirePermission(context.caller, permission)
    } catch (error) {
      return await sendShort(outgoing, sendFailure(toAppError(error)))
    }
    await handler(incoming, outgoing)
  }

const isAt = (url: string | undefined, { address }: Pick<Operation, 'address'>) =>
  selectAddress(toPath(url))?.address === address
