import { connect, createServer, type Socket } from 'node:net'
import { listenOnLoopback } from '#testing/loopback.ts'

/** The connections of one node to its database, which a test can break. */
export type CutLine = {
  /** The same address of a database, through this line. */
  through(databaseUrl: string): string
  /** Connections that are open. */
  open(): number
  /** Breaks all of them after so many more bytes, in whichever direction, also in the middle of a message; 0 is at once. */
  cut(afterBytes?: number): void
  /** From now on nothing passes, and nobody is told: as where a host has lost its power. */
  silence(): void
  /** What was silent stays so for ever; new connections pass. */
  restore(): void
  close(): Promise<void>
}

type Pair = { near: Socket; far: Socket; leftBytes: number; isSilent: boolean }

/** Listens on loopback, and passes on to a port of it. */
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
      // Neither side of a line that is silent hears of the other.
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
    // What was written has to leave first.
    if (pair.leftBytes <= 0) setImmediate(() => breakOff(pair))
  })
}

/** Without the farewell of a connection that is closed. */
function breakOff({ near, far }: Pair): void {
  for (const socket of [near, far]) socket.resetAndDestroy()
}
