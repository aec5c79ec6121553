import type { QueryClient } from '@tanstack/react-query'
import {
  type LiveEvent,
  type LiveEventName,
  liveEvent,
  type Status,
  type StatusSummary,
} from '#lib/contract/answers/status.ts'
import { withBase } from '#lib/contract/base-path.ts'
import {
  dumpsOptions,
  liveState,
  statusOptions,
  statusSummaryOptions,
  toStatusSummary,
} from './query-options.ts'
import { keepSeen } from './seen-generation.ts'

/**
 * Keeps what the page knows of archive and sync current by events, and what the browser says that it has seen of it. A tab
 * that nobody sees, and one that the browser keeps for the way back, hold no connection. Gives what ends it.
 */
export function keepLive(client: QueryClient): () => void {
  const source = createLiveSource({
    open: () => new EventSource(withBase('/api/events')),
    onEvent: (event) => applyLiveEvent(client, event),
    onStanding: (isStanding) => {
      liveState.isStanding = isStanding
    },
    onLost: () => {
      // Whoever is to ask again from now on learns of it by asking.
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

/** The part of an EventSource that is used. `readyState` 2 is closed for good. */
export type Source = {
  readonly readyState: number
  addEventListener(name: string, listener: (event: { data?: unknown }) => void): void
  close(): void
}

type LiveSourceDeps = {
  open: () => Source
  onEvent: (event: LiveEvent) => void
  /** Told when events begin to keep the page current, and when they do so no more. */
  onStanding: (isStanding: boolean) => void
  /** Told where that is not because it was stopped: somebody else has to ask until they come again. */
  onLost: () => void
  /** Runs something later, and gives what calls it off. */
  setTimer: (run: () => void, delayMs: number) => () => void
  /** [0, 1), so that not all tabs come again at once. */
  random: () => number
}

export type LiveSource = { start(): void; stop(): void }

const NAMES: readonly LiveEventName[] = ['status', 'progress', 'commit', 'event', 'beat']
const CLOSED = 2

/** The server beats every 15 s. */
const SILENT_MS = 45_000
/** How long the browser may take to come again by itself where a stream has ended. */
const GAP_MS = 10_000
const FIRST_RETRY_MS = 2000
/** A server that refused has no room, and should not be asked soon. */
const REFUSED_RETRY_MS = 30_000
const RETRY_MAX_MS = 60_000

/**
 * Keeps one stream of events open. A stream that ends is gone on with by the browser itself, once; what fails is closed,
 * because a browser would ask every second for ever, and is tried again with growing patience.
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

/** Writes what was told into what the page knows; lists that a dump has changed are asked anew. */
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

/** Changes what the page knows of archive and sync, wherever it knows it. */
function write(client: QueryClient, change: <T extends StatusSummary>(known: T) => T) {
  stopAsking(client)
  client.setQueryData(
    statusOptions().queryKey,
    (answer) => answer && { ...answer, data: change(answer.data) },
  )
  client.setQueryData(statusSummaryOptions().queryKey, (known) => known && change(known))
}

/** An answer that is on its way is older than what was just told, and must not take its place. */
function stopAsking(client: QueryClient): void {
  void client.cancelQueries({ queryKey: statusOptions().queryKey })
}

const withEvent = (known: Status['events'], event: Status['events'][number]): Status['events'] =>
  [event, ...known.filter(({ id }) => id !== event.id)].slice(0, EVENTS_MAX)

function askDumps(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: ['dumps'] })
  void client.invalidateQueries({ queryKey: ['editions'] })
}

/** An event of `/api/events` by its name, or null where what came is none. */
function parseLiveEvent(name: LiveEventName, text: unknown): LiveEvent | null {
  if (typeof text !== 'string') return null
  try {
    return liveEvent.safeParse({ name, data: JSON.parse(text) }).data ?? null
  } catch {
    return null
  }
}
