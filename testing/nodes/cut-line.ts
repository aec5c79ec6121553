import { connect, createServer, type Socket } from 'node:net'
import { listenOnLoopback } from '#testing/loopback.ts'

export type CutLine = {
  through(databaseUrl: string): string
  open(): number
  /** Resets connections after this many bytes, even mid-message. */
  cut(afterBytes?: number): void
  /** Drops data without closing, as in a power failure. */
  silence(): void
  /** Silenced connections stay silent; new ones pass. */
  restore(): void
  close(): Promise<void>
}

type Pair = { near: Socket; far: Socket; leftBytes: number; isSilent: boolean }

export async function startCutLine(target: number): Promise<CutLine> {
  const pairs = new Set<Pair>()
  let isSilent = false
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    const pair: Pair = { near, far, leftBytes: Number.POSITIVE_INFINITY, isSilent }
    pairs.add(pair)
    pass(pair, near, far)
    pass(pair, far, near)
    const end = () => {
      pairs.delete(pair)
      if (!pair.isSilent) for (const socket of [near, far]) socket.destroy()
    }
    for (const socket of [near, far]) socket.on('error', () => undefined).on('close', end)
  })
  const loopback = await listenOnLoopback(server)
  return {
    through(databaseUrl) {
      const url = new URL(databaseUrl)
      url.port = String(loopback.port)
      return url.href
    },
    open: () => pairs.size,
    cut(afterBytes = 0) {
      for (const pair of pairs) {
        pair.leftBytes = afterBytes
        if (afterBytes === 0) breakOff(pair)
      }
    },
    silence() {
      isSilent = true
      for (const pair of pairs) pair.isSilent = true
    },
    restore() {
      isSilent = false
    },
    async close() {
      for (const { far } of pairs) far.destroy()
      await loopback.close()
    },
  }
}

function pass(pair: Pair, from: Socket, to: Socket): void {
  from.on('data', (bytes: Buffer) => {
    if (pair.isSilent) return
    const part = bytes.subarray(0, Math.min(bytes.length, pair.leftBytes))
    pair.leftBytes -= bytes.length
    if (!to.write(part)) {
      from.pause()
      to.once('drain', () => from.resume())
    }
    // Let written bytes leave first.
    if (pair.leftBytes <= 0) setImmediate(() => breakOff(pair))
  })
}

/** Reset, not FIN. */
function breakOff({ near, far }: Pair): void {
  for (const socket of [near, far]) socket.resetAndDestroy()
}
