import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { BEHIND_HEADER, readSeen } from '#lib/contract/seen.ts'

const WAIT_MAX_MS = 300
const STEP_MS = 10
const WAITING_MAX = 256

type GenerationOptions = {
  generation: () => number | null
  /** Monotonic. */
  nowMs: () => number
  sleep: (ms: number) => Promise<unknown>
}

export type WaitForGeneration = (
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void>

/**
 * Waits up to 300 ms for the generation that the reader has seen on another node. Sets a header if
 * this node is still behind.
 */
export function createGenerationWait({
  generation,
  nowMs,
  sleep,
}: GenerationOptions): WaitForGeneration {
  let waiting = 0
  const isBehind = (seen: number) => (generation() ?? seen) < seen

  const wait = async (seen: number): Promise<boolean> => {
    if (waiting >= WAITING_MAX) return false
    waiting += 1
    try {
      const until = nowMs() + WAIT_MAX_MS
      while (isBehind(seen)) {
        if (nowMs() >= until) return false
        await sleep(STEP_MS)
      }
      return true
    } finally {
      waiting -= 1
    }
  }
  return async ({ headers, url }, response) => {
    if (url?.startsWith('/_next/')) return
    const seen = readSeen(headers.cookie ?? '')
    if (seen === null || !isBehind(seen) || (await wait(seen))) return
    if (!response.destroyed) response.setHeader(BEHIND_HEADER, String(generation() ?? 0))
  }
}

const BETWEEN_MS = 250
const LONGEST_MS = 1000

type SharedRefreshDeps = {
  refresh: () => Promise<void>
  /** Monotonic. */
  nowMs: () => number
  sleep: (ms: number) => Promise<unknown>
}

/** Waiting requests share a refresh that begins after they arrived. */
export function createSharedRefresh({
  refresh,
  nowMs,
  sleep,
}: SharedRefreshDeps): () => Promise<void> {
  let lastMs = Number.NEGATIVE_INFINITY
  let coming: Promise<void> | null = null
  let looking: Promise<void> = Promise.resolve()
  let waiting = 0

  const begin = async () => {
    await looking
    const restMs = lastMs + BETWEEN_MS - nowMs()
    if (restMs > 0) await sleep(restMs)
    lastMs = nowMs()
    coming = null
    looking = refresh().catch(() => undefined)
    await looking
  }
  return async () => {
    if (waiting >= WAITING_MAX) return
    waiting += 1
    try {
      coming ??= begin()
      await Promise.race([coming, sleep(LONGEST_MS)])
    } finally {
      waiting -= 1
    }
  }
}
