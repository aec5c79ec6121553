import type { Archive } from '#lib/archive/archive.ts'
import type { LiveEvent, Status } from '#lib/contract/answers/status.ts'
import type { Sync } from '#lib/sync/sync.ts'
import type { SetTimer } from './byte-stream.ts'
import { createEventReaders, createReplayBuffer, type Frame, toFrame } from './event-stream.ts'

const KEPT_EVENTS = 256
const BEAT_MS = 15_000

type EventHubDeps = {
  readStatus: () => Promise<Status>
  archive: Pick<Archive, 'state'>
  sync: Pick<Sync, 'state' | 'onChange' | 'onEvent'>
  /** Seconds since 1970. */
  now: () => number
  setTimer: SetTimer
  tellsEntries: boolean
  boot: string
}

export type EventHub = {
  /** Replays events after `lastEventId`, or sends the status. Throws AppError `busy`. */
  open(asked: { client: string; lastEventId: string | null }): Promise<ReadableStream<Uint8Array>>
  readers(): number
  close(): void
}

export function createEventHub(deps: EventHubDeps): EventHub {
  const { archive, sync, now, setTimer } = deps
  const replay = createReplayBuffer(deps.boot, KEPT_EVENTS)
  const readers = createEventReaders(setTimer)
  let stopBeat = () => {}

  const tell = (event: LiveEvent) =>
    readers.send(event.name === 'progress' ? toFrame(event) : replay.add(event))
  const isHeard = () => readers.count() > 0
  const throttle = createStatusThrottle({ ...deps, readSync: () => sync.state(), isHeard, tell })
  const watchArchive = createArchivePoll(archive, tell)
  const look = () => {
    watchArchive()
    throttle.poke()
  }
  const endChanges = sync.onChange(look)
  const endEvents = sync.onEvent((event) => {
    if (deps.tellsEntries) tell({ name: 'event', data: event })
    look()
  })
  const beat = () => {
    if (!isHeard()) return
    readers.send(toFrame({ name: 'beat', data: { now: now() } }))
    look()
    stopBeat = setTimer(beat, BEAT_MS)
  }
  const begin = (client: string, first: readonly Frame[]) => {
    if (!isHeard()) {
      stopBeat()
      stopBeat = setTimer(beat, BEAT_MS)
    }
    const stream = readers.add(client, first)
    throttle.follow()
    return stream
  }
  return {
    async open({ client, lastEventId }) {
      readers.checkRoom(client)
      const missed = lastEventId === null ? null : replay.after(lastEventId)
      if (missed) {
        const stream = begin(client, missed)
        throttle.poke()
        return stream
      }
      const status = await throttle.look()
      readers.checkRoom(client)
      return begin(client, [replay.stamp({ name: 'status', data: status })])
    },
    readers: readers.count,
    close() {
      endChanges()
      endEvents()
      stopBeat()
      throttle.stop()
      readers.close()
    },
  }
}

function createArchivePoll(archive: Pick<Archive, 'state'>, tell: (event: LiveEvent) => void) {
  let known = archive.state()
  return () => {
    const { generation, ratings, completeTo, version } = archive.state()
    if (version === known.version) return
    const added = ratings - known.ratings
    known = archive.state()
    tell({ name: 'commit', data: { generation, ratings, added, complete_to: completeTo } })
  }
}

const TICK_MS = 334
const TICKS_A_STATUS = 3

const RUNNING = new Set<Status['sync']['state']>(['bootstrapping', 'following', 'reconciling'])

type StatusThrottleDeps = {
  readStatus: () => Promise<Status>
  readSync: () => Status['sync']
  now: () => number
  setTimer: SetTimer
  isHeard: () => boolean
  tell: (event: LiveEvent) => void
}

type StatusThrottle = {
  poke(): void
  follow(): void
  look(): Promise<Status>
  stop(): void
}

function createStatusThrottle(deps: StatusThrottleDeps): StatusThrottle {
  const { readStatus, readSync, now, setTimer, isHeard, tell } = deps
  let isDue = false
  let ticksLeft = 0
  let stopTimer: (() => void) | null = null
  let told: string | null = null
  let toldSync: string | null = null
  let toldStep = false
  let looking: Promise<Status> | null = null

  const noteSync = (sync: Status['sync']) => {
    toldSync = JSON.stringify(sync)
    toldStep = sync.progress !== null
  }
  const lookNow = async () => {
    const status = await readStatus()
    const said = toComparable(status)
    if (said !== told) {
      told = said
      noteSync(status.sync)
      tell({ name: 'status', data: status })
    }
    return status
  }
  const look = () => {
    looking ??= lookNow().finally(() => {
      looking = null
    })
    return looking
  }
  const tellProgress = () => {
    const sync = readSync()
    if (sync.progress === null && !toldStep) return
    if (JSON.stringify(sync) === toldSync) return
    noteSync(sync)
    tell({ name: 'progress', data: { sync, now: now() } })
  }
  const tick = () => {
    stopTimer = null
    if (!isHeard()) return
    tellProgress()
    ticksLeft = Math.max(0, ticksLeft - 1)
    if (isDue && ticksLeft === 0) {
      isDue = false
      ticksLeft = TICKS_A_STATUS
      look().catch(() => undefined)
    }
    if (isDue || ticksLeft > 0 || isRunning(readSync())) stopTimer = setTimer(tick, TICK_MS)
  }
  const follow = () => {
    if (!stopTimer) tick()
  }
  return {
    poke() {
      isDue = true
      follow()
    },
    follow,
    look,
    stop() {
      stopTimer?.()
      stopTimer = null
    },
  }
}

const isRunning = ({ state, move, progress }: Status['sync']) =>
  progress !== null || move !== null || RUNNING.has(state)

const toComparable = (status: Status): string =>
  JSON.stringify({
    ...status,
    now: 0,
    sync: { ...status.sync, progress: status.sync.progress?.step ?? null },
  })
