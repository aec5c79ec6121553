import 'server-only'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { sendFailure } from '#lib/api/respond.ts'
import { AppError } from '#lib/contract/faults.ts'
import { selectContext } from '#lib/server/gate/request-context.ts'
import { sendShort } from './node-handlers.ts'
import type { SocketHandler } from './on-socket.ts'

export type TransferOptions = {
  limits: { all: number; client: number }
  /** Minimum rate while data is pending. */
  leastBytes: number
  leastMs: number
  /** An idle reader yields its slot when all are taken. */
  idleMs: number
  nowMs: () => number
  every: (ms: number, run: () => void) => () => void
  onGivenUp: (client: string) => void
}

type Transfers = {
  limit(handler: SocketHandler): SocketHandler
  close(): void
}

const LOOKS = 4
const RETRY_SECONDS = 10

/** Prevents stalled readers from holding files, snapshots and memory. */
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
      const client = selectContext()?.client ?? ''
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
  left: number
  marked: number
  markedAtMs: number
  movedAtMs: number
}

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

const countLeft = ({ socket }: ServerResponse) =>
  (socket?.bytesWritten ?? 0) - (socket?.writableLength ?? 0)

const countOf = (under: Iterable<Transfer>, client: string) =>
  [...under].filter((transfer) => transfer.client === client).length

const tooMany = () =>
  new AppError('busy', 'Too many downloads at once. Try again soon.', {
    retryAfterSeconds: RETRY_SECONDS,
  })
