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
import { fetchInBrowser, loadAnswer } from '#lib/client/fetch-api.ts'
import { selectQuestion } from '#lib/client/query-options.ts'
import { toAsofParameter } from '#lib/contract/instant-text.ts'
import type { Question } from '#lib/contract/operations/operation.ts'
import type { QuestionName } from '#lib/contract/operations/operations.ts'
import { outlookQuery } from '#lib/contract/outlook.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { ZonedInstant } from './instant.tsx'
import { StepButtons, usePlaying, useRewound, useServerNow } from './step-buttons.tsx'
import { lastStep, nowSeconds, playing, stepFrom, travelBy, travelTo } from './time-travel.ts'

const TEXTS = {
  past: 'Only ratings that existed then, with states and consensus as of then. Votes and comments are as last seen.',
  future:
    'In the future: as it would be if nobody posted or renewed. Votes and comments are as last seen.',
  before: 'The first rating came later: there was nothing yet.',
  present: 'This page cannot be rewound: it shows the present. The others stay as of then.',
}

/** Says what instant the page is rewound to, over the page, with the ways on, back, and back to now. */
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
        As of <ZonedInstant seconds={asof} />
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
      <Said message={`Rewound. ${text}`} />
    </section>
  )
}

function toNow() {
  playing.stop()
  travelTo(null, 'push')
  // The button goes with the banner; who stood on it stands on what brought it.
  const all = [...document.querySelectorAll<HTMLElement>('[data-time-machine]')]
  const next = all.find((one) => one.checkVisibility())
  ;(next ?? document.querySelector<HTMLElement>('#main'))?.focus()
}

/**
 * Read out when it appears, and when what it says of the page is another thing, as before the first rating or where the
 * present is shown: no step changes it, or it would talk on and on. A region that comes together with its text is not read.
 */
function Said({ message }: { message: string }) {
  const [said, setSaid] = useState('')
  useEffect(() => setSaid(message), [message])
  return <LiveRegion message={said} />
}

const PRESENT = /^\/(about|docs|downloads|help|status)(\/|$)/

/** Can the page at a path be rewound? Texts, the dumps and the sync are what they are now. */
const canRewind = (path: string): boolean => !PRESENT.test(path)

const STEP_MS = 400
/** What a page asks for when it is drawn anew, it has asked for by then. */
const SETTLE_MS = 60

/**
 * Asks for what a further step leads to as soon as the page has what it shows, and plays: one step for each answer that
 * arrived, no quicker than a reader can follow, until now or until an answer fails.
 */
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

/** What the page in sight asks for that depends on the instant. */
const SHOWN = {
  type: 'active',
  predicate: ({ queryKey: [name] }: Query) => isRewound(name),
} as const

/** Is an answer on its way that the page in sight waits for? */
export const isWaiting = (client: QueryClient): boolean => client.isFetching(SHOWN) > 0

/** Has one failed? */
export const hasFailed = (client: QueryClient): boolean =>
  client
    .getQueryCache()
    .findAll(SHOWN)
    .some(({ state }) => state.status === 'error')

/**
 * Asks for everything that the page in sight shows at one instant (seconds since 1970) at another one, before anybody
 * goes there.
 */
function askAhead(client: QueryClient, from: number, to: number): void {
  for (const { queryKey } of client.getQueryCache().findAll(SHOWN)) {
    const [name, path] = queryKey
    const question = selectQuestion(name)
    const next = typeof path === 'string' ? toPathAt(path, from, to) : null
    if (next !== null && question) void client.prefetchQuery(prefetchOptions(question, next))
  }
}

/** A path of the API with another `asof`; null where it has not the one that it is to be rid of. */
export function toPathAt(path: string, from: number, to: number): string | null {
  const [before, behind, ...rest] = `${path}&`.split(`asof=${toAsofParameter(from)}&`)
  if (before === undefined || behind === undefined || rest.length > 0) return null
  return `${before}asof=${toAsofParameter(to)}&${behind}`.slice(0, -1)
}

/** What a reader may use while it plays. */
const OWN = '[data-time-banner], [data-time-panel]'

/**
 * Ends what plays: with Escape, where nobody looks, and with whatever else somebody does on the page. That may lead
 * elsewhere, and a step would call off the way there.
 */
function useStops(): void {
  const path = usePathname() ?? ''
  const text = useSearchParams()?.toString() ?? ''
  const shown = toParams(outlookQuery, { asof: null }, new URLSearchParams(text)).toString()
  const last = useRef({ path, shown })
  useEffect(() => {
    const before = last.current.shown
    // A step begins with the first page of a table again.
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

/** Browsers let a page write its address some ten times a second; a key that is held down comes oftener. */
const LEAST_MS = 120

/** `[` and `]` step a day, `{` and `}` a week, while the page is rewound and no field or dialog has the keys. */
function useTimeKeys(isRewindable: boolean): void {
  const now = useServerNow()
  const steppedMs = useRef(0)
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const days = toStepOfKey(event)
    if (days === null || !isRewindable || !areSingleKeysOn()) return
    if (document.querySelector('dialog[open]')) return
    event.preventDefault()
    if (event.repeat && event.timeStamp - steppedMs.current < LEAST_MS) return
    steppedMs.current = event.timeStamp
    playing.stop()
    travelBy(days, now ?? nowSeconds())
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

/**
 * By how many days a key steps, or null. Many keyboards reach the brackets by AltGr, which some systems report as Ctrl
 * and Alt together, or by Option: only Ctrl alone and Command make another key of them.
 */
export function toStepOfKey(pressed: Pressed): number | null {
  const { key, ctrlKey, altKey, metaKey, target } = pressed
  if (pressed.defaultPrevented || pressed.isComposing || metaKey || (ctrlKey && !altKey))
    return null
  if (target !== null && isWrittenInto(target)) return null
  return Object.hasOwn(DAYS, key) ? (DAYS[key] ?? null) : null
}

/** The questions that can be asked of an earlier instant, by their names. */
const REWOUND: ReadonlySet<unknown> = new Set<QuestionName>([
  'ratings',
  'rating',
  'facets',
  'symbols',
  'opinion',
  'series',
  'comparison',
  'overview',
  'users',
  'user',
  'userRatings',
  'userRecord',
  'track',
  'communityRecord',
  'calls',
])

const isRewound = (name: unknown): boolean => REWOUND.has(name)

/** The answer at a path of the API, under the key that the screens use. */
const prefetchOptions = ({ name, answer }: Question, path: string) =>
  queryOptions({
    queryKey: [name, path],
    queryFn: ({ signal }) => loadAnswer(answer, path, { fetchApi: fetchInBrowser, signal }),
  })
