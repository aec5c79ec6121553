import 'server-only'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { CLIENT } from '#lib/api/endpoint.ts'
import { sendFailure } from '#lib/api/respond.ts'
import { AppError } from '#lib/contract/faults.ts'
import { sendShort } from './node-handlers.ts'
import type { SocketHandler } from './on-socket.ts'

export type TransferOptions = {
  /** Concurrent transfers in total and per client. */
  limits: { all: number; client: number }
  /** Minimum rate while data is pending; slower readers are disconnected. */
  leastBytes: number
  leastMs: number
  /** An idle reader yields its slot when all are taken. */
  idleMs: number
  nowMs: () => number
  /** Returns the stop function. */
  every: (ms: number, run: () => void) => () => void
  onGivenUp: (client: string) => void
}

export type Transfers = {
  /** 503 without a free slot. */
  limit(handler: SocketHandler): SocketHandler
  close(): void
}

/** Checks per `idleMs`. */
const LOOKS = 4
const RETRY_SECONDS = 10

/**
 * Slots for long responses. A minimum rate prevents stalled readers from holding files, snapshots
 * and memory.
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
  /** Undefined while slots are free. */
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
      // Wait until its resources are released.
      if (idle && !idle.outgoing.closed) await once(idle.outgoing, 'close')
      await handler(incoming, outgoing)
    },
    close: every(idleMs / LOOKS, look),
  }
}

type Transfer = {
  client: string
  outgoing: ServerResponse
  /** Bytes sent as of the last check and of the last mark. */
  left: number
  marked: number
  markedAtMs: number
  movedAtMs: number
}

/** Sets a mark once enough was sent, or if the reader waits for us. */
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

/** Bytes that the kernel accepted on this connection. */
const countLeft = ({ socket }: ServerResponse) =>
  (socket?.bytesWritten ?? 0) - (socket?.writableLength ?? 0)

const countOf = (under: Iterable<Transfer>, client: string) =>
  [...under].filter((transfer) => transfer.client === client).length

const toName = ({ headers }: IncomingMessage) => String(headers[CLIENT] ?? '')

const tooMany = () =>
  new AppError('busy', 'Too many files are being sent at once: try again soon.', {
    retryAfterSeconds: RETRY_SECONDS,
  })
