import type { QueryClient } from '@tanstack/react-query'
import {
  type LiveEvent,
  type LiveEventName,
  liveEvent,
  type Status,
  type StatusSummary,
} from '#lib/contract/answers/status.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { readSeen } from '#lib/contract/seen.ts'
import { type CookieJar, writeSeen } from './fetch-api.ts'
import { dumpsOptions } from './list-options.ts'
import { liveState, statusOptions, statusSummaryOptions, toStatusSummary } from './query-options.ts'

/** Hidden tabs and pages in the back/forward cache hold no connection. */
export function keepLive(client: QueryClient): () => void {
  const source = createLiveSource({
    open: () => new EventSource(withBase('/api/events')),
    onEvent: (event) => applyLiveEvent(client, event),
    onStanding: (isStanding) => {
      liveState.isStanding = isStanding
    },
    onLost: () => {
      for (const { queryKey } of [statusOptions(), dumpsOptions()]) {
        void client.invalidateQueries({ queryKey })
      }
    },
    setTimer: (run, delayMs) => {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    },
    random: Math.random,
  })
  const endSeen = keepSeen(client)
  const follow = () => (document.hidden ? source.stop() : source.start())
  const leave = () => source.stop()
  document.addEventListener('visibilitychange', follow)
  window.addEventListener('pagehide', leave)
  window.addEventListener('pageshow', follow)
  follow()
  return () => {
    document.removeEventListener('visibilitychange', follow)
    window.removeEventListener('pagehide', leave)
    window.removeEventListener('pageshow', follow)
    source.stop()
    endSeen()
  }
}

export type Source = {
  readonly readyState: number
  addEventListener(name: string, listener: (event: { data?: unknown }) => void): void
  close(): void
}

type LiveSourceDeps = {
  open: () => Source
  onEvent: (event: LiveEvent) => void
  onStanding: (isStanding: boolean) => void
  onLost: () => void
  setTimer: (run: () => void, delayMs: number) => () => void
  random: () => number
}

type LiveSource = { start(): void; stop(): void }

const NAMES: readonly LiveEventName[] = ['status', 'progress', 'commit', 'event', 'beat']
const CLOSED = 2

const SILENT_MS = 45_000
const GAP_MS = 10_000
const FIRST_RETRY_MS = 2000
/** A server that rejects the stream is full. */
const REFUSED_RETRY_MS = 30_000
const RETRY_MAX_MS = 60_000

/**
 * Lets the browser reconnect once; then closes and retries with backoff, because browsers retry
 * every second forever.
 */
export function createLiveSource(deps: LiveSourceDeps): LiveSource {
  const { open, onEvent, onStanding, onLost, setTimer, random } = deps
  let source: Source | null = null
  let failures = 0
  let stopTimer = () => {}

  const wait = (run: () => void, ms: number) => {
    stopTimer()
    stopTimer = setTimer(run, ms)
  }
  const end = () => {
    stopTimer()
    source?.close()
    source = null
    onStanding(false)
  }
  const fail = (leastMs: number) => {
    end()
    if (failures === 0) onLost()
    const ms = Math.min(RETRY_MAX_MS, Math.max(leastMs, FIRST_RETRY_MS * 2 ** failures))
    failures += 1
    wait(connect, ms * (0.75 + random() / 2))
  }
  const hear = () => wait(() => fail(0), SILENT_MS)

  const connect = () => {
    const opened = open()
    let isOpen = false
    source = opened
    const whileOurs = (run: (data: unknown) => void) => (event: { data?: unknown }) => {
      if (source === opened) run(event.data)
    }
    hear()
    opened.addEventListener(
      'open',
      whileOurs(() => {
        isOpen = true
        hear()
      }),
    )
    opened.addEventListener(
      'error',
      whileOurs(() => {
        if (opened.readyState === CLOSED) return fail(REFUSED_RETRY_MS)
        if (!isOpen) return fail(0)
        isOpen = false
        wait(() => fail(0), GAP_MS)
      }),
    )
    for (const name of NAMES) {
      opened.addEventListener(
        name,
        whileOurs((data) => {
          hear()
          const event = parseLiveEvent(name, data)
          if (event === null) return fail(REFUSED_RETRY_MS)
          failures = 0
          onStanding(true)
          onEvent(event)
        }),
      )
    }
  }
  return {
    start() {
      if (source) return
      failures = 0
      connect()
    },
    stop: end,
  }
}

const EVENTS_MAX = 50

export function applyLiveEvent(client: QueryClient, event: LiveEvent): void {
  if (event.name === 'status') {
    stopAsking(client)
    client.setQueryData(statusOptions().queryKey, { success: true, code: 200, data: event.data })
    client.setQueryData(statusSummaryOptions().queryKey, toStatusSummary(event.data))
    askDumps(client)
  } else if (event.name === 'progress') {
    write(client, (known) => ({ ...known, ...event.data }))
  } else if (event.name === 'commit') {
    const { ratings, generation, complete_to } = event.data
    write(client, (known) => {
      const archive = { ...known.archive, ratings, generation, complete_to }
      return { ...known, archive }
    })
  } else if (event.name === 'event') {
    const { data } = event
    stopAsking(client)
    client.setQueryData(statusOptions().queryKey, (answer) => {
      const known = answer?.data
      return known && { ...answer, data: { ...known, events: withEvent(known.events, data) } }
    })
    if (data.kind === 'dump') askDumps(client)
  }
}

function write(client: QueryClient, change: <T extends StatusSummary>(known: T) => T) {
  stopAsking(client)
  client.setQueryData(
    statusOptions().queryKey,
    (answer) => answer && { ...answer, data: change(answer.data) },
  )
  client.setQueryData(statusSummaryOptions().queryKey, (known) => known && change(known))
}

/** Responses in flight are older than the event. */
function stopAsking(client: QueryClient): void {
  void client.cancelQueries({ queryKey: statusOptions().queryKey })
}

const withEvent = (known: Status['events'], event: Status['events'][number]): Status['events'] =>
  [event, ...known.filter(({ id }) => id !== event.id)].slice(0, EVENTS_MAX)

function askDumps(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: ['dumps'] })
  void client.invalidateQueries({ queryKey: ['editions'] })
}

function parseLiveEvent(name: LiveEventName, text: unknown): LiveEvent | null {
  if (typeof text !== 'string') return null
  try {
    return liveEvent.safeParse({ name, data: JSON.parse(text) }).data ?? null
  } catch {
    return null
  }
}

/** Keeps other nodes from answering with an older generation. */
export function keepSeen(client: QueryClient, jar: CookieJar = document): () => void {
  const { queryKey } = statusSummaryOptions()
  let noted: number | null = null
  const note = () => {
    const archive = client.getQueryData(queryKey)?.archive
    if (!archive?.shared || archive.generation === noted) return
    noted = archive.generation
    // Other tabs may have seen more. Never renews an equal value, which would not expire.
    if (noted > (readSeen(jar.cookie) ?? -1)) writeSeen(noted, jar)
  }
  note()
  return client.getQueryCache().subscribe(note)
}
