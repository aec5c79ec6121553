import 'server-only'
import type { IncomingMessage } from 'node:http'
import { BEHIND_HEADER, readSeen } from '#lib/contract/seen.ts'
import type { Answerer } from './refuse.ts'

const LONGEST_WAIT_MS = 300
const STEP_MS = 10
const WAITING_MAX = 256

type SeenOptions = {
  generation: () => number | null
  /** Monotonic. */
  nowMs: () => number
  sleep: (ms: number) => Promise<unknown>
}

/** Waits up to 300 ms for a generation seen on another node, then sets the header. */
export function waitForSeen({ generation, nowMs, sleep }: SeenOptions) {
  let waiting = 0
  const isBehind = (seen: number) => (generation() ?? seen) < seen

  const wait = async (seen: number): Promise<boolean> => {
    if (waiting >= WAITING_MAX) return false
    waiting += 1
    try {
      const until = nowMs() + LONGEST_WAIT_MS
      while (isBehind(seen)) {
        if (nowMs() >= until) return false
        await sleep(STEP_MS)
      }
      return true
    } finally {
      waiting -= 1
    }
  }
  return (answer: Answerer): Answerer =>
    (request, response) => {
      const seen = readAsked(request)
      if (seen === null || !isBehind(seen)) return answer(request, response)
      void wait(seen).then((isHere) => {
        if (response.destroyed) return
        if (!isHere) response.setHeader(BEHIND_HEADER, String(generation() ?? 0))
        answer(request, response)
      })
    }
}

const readAsked = ({ headers, url }: IncomingMessage): number | null =>
  url?.startsWith('/_next/') ? null : readSeen((headers.cookie ?? '').slice(0, 8192))
