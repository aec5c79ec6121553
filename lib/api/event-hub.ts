import type { Archive } from '#lib/archive/archive.ts'
import type { LiveEvent } from '#lib/contract/answers/live.ts'
import type { Status } from '#lib/contract/answers/state.ts'
import type { Sync } from '#lib/sync/sync.ts'
import type { SetTimer } from './byte-stream.ts'
import { createEventReaders } from './event-readers.ts'
import { createEventRing, type Frame, toFrame } from './event-ring.ts'
import { createStatusPulse } from './status-pulse.ts'

const KEPT_EVENTS = 256
const BEAT_MS = 15_000

export type EventHubDeps = {
  readStatus: () => Promise<Status>
  archive: Pick<Archive, 'state'>
  sync: Pick<Sync, 'state' | 'onChange' | 'onEvent'>
  /** Seconds since 1970. */
  now: () => number
  setTimer: SetTimer
  /** Names this run of the process in the ids of events: letters and digits, another one after each start. */
  boot: string
}

export type EventHub = {
  /**
   * A stream of server-sent events: what was told since `lastEventId`, or the status where that is not known any more,
   * then whatever happens. Throws AppError('busy') where too many listen, and once the hub is closed.
   */
  open(lastEventId: string | null): Promise<ReadableStream<Uint8Array>>
  /** How many listen. */
  readers(): number
  /** Ends every stream, and takes no reader any more. */
  close(): void
}

/** Tells everybody who listens what the archive and its sync do. An event is made once, however many read it. */
export function createEventHub(deps: EventHubDeps): EventHub {
  const { archive, sync, now, setTimer } = deps
  const ring = createEventRing(deps.boot, KEPT_EVENTS)
  const readers = createEventReaders(setTimer)
  let stopBeat = () => {}

  const tell = (event: LiveEvent) =>
    readers.send(event.name === 'progress' ? toFrame(event) : ring.add(event))
  const isHeard = () => readers.count() > 0
  const pulse = createStatusPulse({ ...deps, readSync: () => sync.state(), isHeard, tell })
  const watchArchive = createArchiveWatch(archive, tell)
  const look = () => {
    watchArchive()
    pulse.poke()
  }
  const endChanges = sync.onChange(look)
  const endEvents = sync.onEvent((event) => {
    tell({ name: 'event', data: event })
    look()
  })
  const beat = () => {
    if (!isHeard()) return
    readers.send(toFrame({ name: 'beat', data: { now: now() } }))
    // Some of the status changes without a word: the budget, by what people ask.
    look()
    stopBeat = setTimer(beat, BEAT_MS)
  }
  const begin = (first: readonly Frame[]) => {
    if (!isHeard()) {
      stopBeat()
      stopBeat = setTimer(beat, BEAT_MS)
    }
    const stream = readers.add(first)
    pulse.follow()
    return stream
  }
  return {
    async open(lastEventId) {
      readers.checkRoom()
      const missed = lastEventId === null ? null : ring.after(lastEventId)
      if (missed) {
        const stream = begin(missed)
        pulse.poke()
        return stream
      }
      const status = await pulse.look()
      readers.checkRoom()
      return begin([ring.stamp({ name: 'status', data: status })])
    },
    readers: readers.count,
    close() {
      endChanges()
      endEvents()
      stopBeat()
      pulse.stop()
      readers.close()
    },
  }
}

/** Looks whether the archive has committed since the last look, and tells. */
function createArchiveWatch(archive: Pick<Archive, 'state'>, tell: (event: LiveEvent) => void) {
  let known = archive.state()
  return () => {
    const { generation, ratings, completeTo } = archive.state()
    if (generation === known.generation) return
    const added = ratings - known.ratings
    known = archive.state()
    tell({ name: 'commit', data: { generation, ratings, added, complete_to: completeTo } })
  }
}
