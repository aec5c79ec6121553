import 'server-only'
import type { IncomingMessage } from 'node:http'
import { BEHIND_HEADER, readSeen } from '#lib/contract/seen.ts'
import type { Answerer } from './refuse.ts'

const LONGEST_WAIT_MS = 300
const STEP_MS = 10
/** So many wait at a time: whoever comes then is answered at once with what there is. */
const WAITING_MAX = 256

export type SeenOptions = {
  /** What this node holds; null while it holds nothing. */
  generation: () => number | null
  /** Milliseconds by a clock that never jumps. */
  nowMs: () => number
  sleep: (ms: number) => Promise<unknown>
}

/**
 * A reader whose requests go to several nodes never goes back in time, as long as that takes no time: what was seen on one
 * node is waited for on another, for at most 300 ms. Then there is what there is, and the answer says so.
 */
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

/** null where the browser says none: files, and whoever is no browser. */
const readAsked = ({ headers, url }: IncomingMessage): number | null =>
  url?.startsWith('/_next/') ? null : readSeen((headers.cookie ?? '').slice(0, 8192))
