import type { LiveEvent } from '#lib/contract/answers/live.ts'
import type { Status } from '#lib/contract/answers/state.ts'
import type { SetTimer } from './byte-stream.ts'

/** Three times a second at most a step's progress is told, once a second at most the whole status. */
const TICK_MS = 334
const TICKS_A_STATUS = 3

const RUNNING = new Set<Status['sync']['state']>(['bootstrapping', 'following', 'reconciling'])

type StatusPulseDeps = {
  readStatus: () => Promise<Status>
  readSync: () => Status['sync']
  /** Seconds since 1970. */
  now: () => number
  setTimer: SetTimer
  isHeard: () => boolean
  tell: (event: LiveEvent) => void
}

export type StatusPulse = {
  /** Something may have changed: looks now, or as soon as it may be told. */
  poke(): void
  /** Somebody begins to listen: what goes on is followed from now on. */
  follow(): void
  /** Reads the status, tells it where it is not what was told last, and gives it. One reading, however many ask at once. */
  look(): Promise<Status>
  stop(): void
}

/**
 * Turns "something has changed" into events at a pace that a browser can follow. Nothing runs while nobody listens or
 * nothing goes on.
 */
export function createStatusPulse(deps: StatusPulseDeps): StatusPulse {
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
  /** A fetch says nothing as its bytes come: it is looked at. */
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
      // What cannot be read now is looked at again with the next change or beat.
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

/** All but what changes by itself: the clock, and how far a step is, which `progress` tells. */
const toComparable = (status: Status): string =>
  JSON.stringify({
    ...status,
    now: 0,
    sync: { ...status.sync, progress: status.sync.progress?.step ?? null },
  })
