'use client'

import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { askAhead, hasFailed, isWaiting, SHOWN } from './ask-ahead.ts'
import { nowSeconds } from './now-seconds.ts'
import { playing } from './playing.ts'
import { stepFrom } from './time-steps.ts'
import { lastStep, travelBy } from './travel.ts'
import { usePlaying, useRewound } from './use-rewound.ts'

const STEP_MS = 400
/** What a page asks for when it is drawn anew, it has asked for by then. */
const SETTLE_MS = 60

/**
 * Asks for what a further step leads to as soon as the page has what it shows, and plays: one step for each answer that
 * arrived, no quicker than a reader can follow, until now or until an answer fails.
 */
export function usePlayer(): void {
  const client = useQueryClient()
  const stride = usePlaying()
  const { asof, zone, now } = useRewound()
  const isBusy = useIsFetching(SHOWN) > 0
  const steppedMs = useRef(0)

  const ahead = useEffectEvent(() => {
    const days = stride ?? lastStep()
    if (asof === null || days === null || isWaiting(client)) return
    if (hasFailed(client)) return playing.stop()
    const next = stepFrom({ asof, now: now ?? nowSeconds(), zone }, days)
    if (next !== null && next !== asof) askAhead(client, asof, next)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: other steps lead elsewhere
  useEffect(() => {
    if (isBusy || asof === null) return
    const timer = setTimeout(ahead, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [isBusy, asof, stride])

  const step = useEffectEvent(() => {
    // It may have ended since it was drawn.
    if (stride === null || playing.read() === null || isWaiting(client)) return
    steppedMs.current = performance.now()
    travelBy(stride, now ?? nowSeconds())
  })
  // Waited for anew with each instant that is drawn, and when the last of its answers is there.
  useEffect(() => {
    if (stride === null || isBusy || asof === null) return
    const dueMs = steppedMs.current + STEP_MS - performance.now()
    const timer = setTimeout(step, Math.max(SETTLE_MS, dueMs))
    return () => clearTimeout(timer)
  }, [isBusy, asof, stride])
}
