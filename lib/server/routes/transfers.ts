import 'server-only'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { CLIENT } from '#lib/api/endpoint.ts'
import { sendFailure } from '#lib/api/respond.ts'
import { AppError } from '#lib/contract/faults.ts'
import { sendShort } from './node-handlers.ts'
import type { SocketHandler } from './on-socket.ts'

export type TransferOptions = {
  /** At once, of all readers and of one. */
  limits: { all: number; client: number }
  /** Whoever takes less than `leastBytes` in `leastMs` while there is something to take is given up. */
  leastBytes: number
  leastMs: number
  /** Whoever took nothing for so long gives way where another finds no place. */
  idleMs: number
  nowMs: () => number
  /** Runs something again and again, and gives what ends that. */
  every: (ms: number, run: () => void) => () => void
  onGivenUp: (client: string) => void
}

export type Transfers = {
  /** The same answers, each in one of the places: 503 where there is none. */
  limit(handler: SocketHandler): SocketHandler
  close(): void
}

/** How often each reader is looked at, in the time that one may take nothing. */
const LOOKS = 4
const RETRY_SECONDS = 10

/**
 * Places for answers that last as long as their reader takes. Somebody who opens many and reads none would hold files,
 * snapshots and memory for good: so readers have to keep a least rate, and nobody who stands still keeps another out.
 */
export function createTransfers(options: TransferOptions): Transfers {
  const { limits, leastBytes, leastMs, idleMs, nowMs, every, onGivenUp } = options
  const under = new Set<Transfer>()
  const giveUp = (transfer: Transfer) => {
    under.delete(transfer)
    transfer.outgoing.destroy()
    onGivenUp(transfer.client)
  }
  const look = () => {
    for (const transfer of under) {
      see(transfer, nowMs(), leastBytes)
      if (nowMs() - transfer.markedAtMs >= leastMs) giveUp(transfer)
    }
  }
  /** Who stands still and gives way; undefined where nobody has to. */
  const selectIdle = () => {
    if (under.size < limits.all) return undefined
    look()
    const idle = [...under].filter(({ movedAtMs }) => nowMs() - movedAtMs >= idleMs)
    return idle.sort((a, b) => a.movedAtMs - b.movedAtMs)[0]
  }
  const begin = (client: string, outgoing: ServerResponse) => {
    const at = nowMs()
    const left = countLeft(outgoing)
    const transfer = { client, outgoing, left, marked: left, markedAtMs: at, movedAtMs: at }
    under.add(transfer)
    outgoing.once('close', () => under.delete(transfer))
  }
  return {
    limit: (handler) => async (incoming, outgoing) => {
      const client = toName(incoming)
      if (incoming.method === 'HEAD') return await handler(incoming, outgoing)
      const hasShare = countOf(under, client) < limits.client
      const idle = hasShare ? selectIdle() : undefined
      if (idle) giveUp(idle)
      if (!hasShare || under.size >= limits.all) {
        return await sendShort(outgoing, sendFailure(tooMany()))
      }
      begin(client, outgoing)
      // What it held is free only then.
      if (idle && !idle.outgoing.closed) await once(idle.outgoing, 'close')
      await handler(incoming, outgoing)
    },
    close: every(idleMs / LOOKS, look),
  }
}

type Transfer = {
  client: string
  outgoing: ServerResponse
  /** Bytes that have left when it was last looked at; those at the last mark. */
  left: number
  marked: number
  markedAtMs: number
  movedAtMs: number
}

/** A mark is set when enough has left since the one before, and whenever the reader waits for us. */
function see(transfer: Transfer, nowMs: number, leastBytes: number): void {
  const { outgoing } = transfer
  const waiting = Math.max(outgoing.writableLength, outgoing.socket?.writableLength ?? 0)
  const left = countLeft(outgoing)
  if (waiting === 0 || left !== transfer.left) transfer.movedAtMs = nowMs
  transfer.left = left
  if (waiting > 0 && left - transfer.marked < leastBytes) return
  transfer.marked = left
  transfer.markedAtMs = nowMs
}

/** What the system has taken of all that was ever sent on this connection. */
const countLeft = ({ socket }: ServerResponse) =>
  (socket?.bytesWritten ?? 0) - (socket?.writableLength ?? 0)

const countOf = (under: Iterable<Transfer>, client: string) =>
  [...under].filter((transfer) => transfer.client === client).length

const toName = ({ headers }: IncomingMessage) => String(headers[CLIENT] ?? '')

const tooMany = () =>
  new AppError('busy', 'Too many files are being sent at once: try again soon.', {
    retryAfterSeconds: RETRY_SECONDS,
  })
