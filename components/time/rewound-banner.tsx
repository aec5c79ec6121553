'use client'

import {
  type Query,
  type QueryClient,
  queryOptions,
  useIsFetching,
  useQueryClient,
} from '@tanstack/react-query'
import { usePathname, useSearchParams } from 'next/navigation'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { areSingleKeysOn, isWrittenInto } from '#components/ui/keyboard-shortcuts.ts'
import { LiveRegion } from '#components/ui/messages.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import { fetchInBrowser, loadAnswer } from '#lib/client/fetch-api.ts'
import { selectQuestion } from '#lib/client/query-options.ts'
import { asofQuery } from '#lib/contract/api-queries.ts'
import { toAsofParameter } from '#lib/contract/instant-text.ts'
import type { Question } from '#lib/contract/operations/operation.ts'
import type { QuestionName } from '#lib/contract/operations/operations.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { InstantButton } from './instant.tsx'
import { StepButtons, usePlaying, useRewound, useServerNow } from './step-buttons.tsx'
import { lastStep, nowSeconds, playing, stepFrom, travelBy, travelTo } from './time-travel.ts'

const TEXTS = {
  past: 'Only ratings that existed then, with their states and consensus at the time. Votes and comments are as last seen.',
  future: 'In the future: as it would be without new ratings. Votes and comments are as last seen.',
  before: 'The first rating came later: there were none yet.',
  present: 'This page cannot be rewound and shows the present. The others stay rewound.',
}

export function RewoundBanner() {
  const { asof, kind } = useRewound()
  const isRewindable = canRewind(usePathname() ?? '')
  usePlayer()
  useStops()
  useTimeKeys(isRewindable)
  const text = TEXTS[isRewindable ? (kind ?? 'past') : 'present']
  if (asof === null) return null
  return (
    <section
      aria-label="Time machine"
      data-time-banner
      className="edges flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b bg-accent-bg py-1.5 lg:h-[44px] lg:flex-nowrap lg:py-0 lg:sticky lg:top-0 lg:z-25"
    >
      <p className="shrink-0 font-semibold">
        As of <InstantButton seconds={asof} />
      </p>
      <p
        className="min-w-0 text-sm text-ink-2 max-lg:order-1 max-lg:w-full lg:line-clamp-2 lg:grow lg:text-balance"
        title={text}
      >
        {text}
      </p>
      {isRewindable && <StepButtons className="flex shrink-0 items-center gap-1 max-lg:order-1" />}
      <Button size="small" variant="solid" className="max-lg:ml-auto" onClick={toNow}>
        Back to now
      </Button>
      <Announcement message={`Rewound. ${text}`} />
    </section>
  )
}

function toNow() {
  playing.stop()
  travelTo(null, 'push')
  const all = [...document.querySelectorAll<HTMLElement>('[data-time-machine]')]
  const next = all.find((one) => one.checkVisibility())
  ;(next ?? document.querySelector<HTMLElement>('#main'))?.focus()
}

/** A live region must exist before its text. */
function Announcement({ message }: { message: string }) {
  const [said, setSaid] = useState('')
  useEffect(() => setSaid(message), [message])
  return <LiveRegion message={said} />
}

const PRESENT = /^\/(about|docs|downloads|help|status)(\/|$)/

const canRewind = (path: string): boolean => !PRESENT.test(path)

const STEP_MS = 400
/** Milliseconds until a render has sent its requests. */
const SETTLE_MS = 60

function usePlayer(): void {
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
    if (next !== null && next !== asof) prefetchStep(client, asof, next)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: other steps lead elsewhere
  useEffect(() => {
    if (isBusy || asof === null) return
    const timer = setTimeout(ahead, SETTLE_MS)
    return () => clearTimeout(timer)
  }, [isBusy, asof, stride])

  const step = useEffectEvent(() => {
    if (stride === null || playing.read() === null || isWaiting(client)) return
    steppedMs.current = performance.now()
    travelBy(stride, { now: now ?? nowSeconds(), zone })
  })
  useEffect(() => {
    if (stride === null || isBusy || asof === null) return
    const dueMs = steppedMs.current + STEP_MS - performance.now()
    const timer = setTimeout(step, Math.max(SETTLE_MS, dueMs))
    return () => clearTimeout(timer)
  }, [isBusy, asof, stride])
}

const SHOWN = {
  type: 'active',
  predicate: ({ queryKey: [name] }: Query) => isRewound(name),
} as const

export const isWaiting = (client: QueryClient): boolean => client.isFetching(SHOWN) > 0

export const hasFailed = (client: QueryClient): boolean =>
  client
    .getQueryCache()
    .findAll(SHOWN)
    .some(({ state }) => state.status === 'error')

function prefetchStep(client: QueryClient, from: number, to: number): void {
  for (const { queryKey } of client.getQueryCache().findAll(SHOWN)) {
    const [name, path] = queryKey
    const question = selectQuestion(name)
    const next = typeof path === 'string' ? toPathAt(path, from, to) : null
    if (next !== null && question) void client.prefetchQuery(prefetchOptions(question, next))
  }
}

/** Null if `asof` is not in the path exactly once. */
export function toPathAt(path: string, from: number, to: number): string | null {
  const [before, behind, ...rest] = `${path}&`.split(`asof=${toAsofParameter(from)}&`)
  if (before === undefined || behind === undefined || rest.length > 0) return null
  return `${before}asof=${toAsofParameter(to)}&${behind}`.slice(0, -1)
}

const OWN = '[data-time-banner], [data-time-panel]'

/** Any interaction stops playback: a step would cancel a navigation. */
function useStops(): void {
  const path = usePathname() ?? ''
  const text = useSearchParams()?.toString() ?? ''
  const shown = toParams(asofQuery, { asof: null }, new URLSearchParams(text)).toString()
  const last = useRef({ path, shown })
  useEffect(() => {
    const before = last.current.shown
    // A step resets the table to page 1.
    const isStep = [before, withoutPage(before)].some((text) => text === shown)
    if (path !== last.current.path || !isStep) playing.stop()
    last.current = { path, shown }
  }, [path, shown])
  useEffect(() => {
    const isElsewhere = ({ target }: Event) => target instanceof Element && !target.closest(OWN)
    const onClick = (event: Event) => isElsewhere(event) && playing.stop()
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' || (event.key === 'Enter' && isElsewhere(event))) playing.stop()
    }
    const onHidden = () => document.hidden && playing.stop()
    addEventListener('click', onClick, { capture: true })
    addEventListener('keydown', onKey, { capture: true })
    addEventListener('popstate', playing.stop)
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      removeEventListener('click', onClick, { capture: true })
      removeEventListener('keydown', onKey, { capture: true })
      removeEventListener('popstate', playing.stop)
      document.removeEventListener('visibilitychange', onHidden)
      playing.stop()
    }
  }, [])
}

function withoutPage(text: string): string {
  const params = new URLSearchParams(text)
  params.delete('page')
  return params.toString()
}

/** Milliseconds. Browsers throttle history updates. */
const LEAST_MS = 120

function useTimeKeys(isRewindable: boolean): void {
  const now = useServerNow()
  const zone = useZone()
  const steppedMs = useRef(0)
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const days = toStepOfKey(event)
    if (days === null || !isRewindable || !areSingleKeysOn()) return
    if (document.querySelector('dialog[open]')) return
    event.preventDefault()
    if (event.repeat && event.timeStamp - steppedMs.current < LEAST_MS) return
    steppedMs.current = event.timeStamp
    playing.stop()
    travelBy(days, { now: now ?? nowSeconds(), zone })
  })
  useEffect(() => {
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

const DAYS: Record<string, number> = { '[': -1, ']': 1, '{': -7, '}': 7 }

type Pressed = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'altKey' | 'metaKey' | 'defaultPrevented' | 'isComposing'
> & { target: EventTarget | null }

/** AltGr types brackets on many keyboards, and may be reported as Ctrl+Alt. */
export function toStepOfKey(pressed: Pressed): number | null {
  const { key, ctrlKey, altKey, metaKey, target } = pressed
  if (pressed.defaultPrevented || pressed.isComposing || metaKey || (ctrlKey && !altKey))
    return null
  if (target !== null && isWrittenInto(target)) return null
  return Object.hasOwn(DAYS, key) ? (DAYS[key] ?? null) : null
}

const REWOUND: ReadonlySet<unknown> = new Set<QuestionName>([
  'ratings',
  'rating',
  'facets',
  'symbols',
  'opinion',
  'series',
  'comparison',
  'movers',
  'users',
  'user',
  'userRatings',
  'track',
  'communityRecord',
  'calls',
])

const isRewound = (name: unknown): boolean => REWOUND.has(name)

const prefetchOptions = ({ name, answer }: Question, path: string) =>
  queryOptions({
    queryKey: [name, path],
    queryFn: ({ signal }) => loadAnswer(answer, path, { fetchApi: fetchInBrowser, signal }),
  })
