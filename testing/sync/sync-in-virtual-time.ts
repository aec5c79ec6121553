import { onTestFinished } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { openEditions } from '#lib/sync/editions/edition-store.ts'
import { createForgetfulDiscovery } from '#lib/sync/reading/discovery.ts'
import { createSync, type SyncDeps } from '#lib/sync/running/create-sync.ts'
import type { Sleep } from '#lib/sync/running/loop.ts'
import { createKept, createRunLog } from '#lib/sync/running/run-log.ts'
import type { Sync } from '#lib/sync/sync.ts'
import { toSyncArchive } from '#lib/sync/sync-archive.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import { streamRatings } from '#testing/archive/stream-ratings.ts'
import {
  createBareArchive,
  createScriptedService,
  HOUR,
  type LimitedService,
  limitService,
  loadIds,
  makeFolder,
  openTestArchive,
  range,
  toCsv,
  toRating,
  WEDNESDAY,
} from './scripted-service.ts'

type TestSyncOptions = Partial<
  Omit<SyncDeps, 'now' | 'sleep' | 'editions' | 'upstream' | 'archive'>
> & {
  time?: VirtualTime
  archive?: Archive
  dir?: string
}

export function watched(start = WEDNESDAY) {
  const time = createVirtualTime(start)
  return { time, every: time.every, expectsNew: false }
}

export const kindsOf = (sync: Sync) => sync.alarms().map(({ kind }) => kind)

export const told = (sync: Sync) => sync.events(100).map(({ message }) => message)

export async function openSync(service: Upstream, setup: TestSyncOptions = {}) {
  const { time = createVirtualTime(WEDNESDAY), dir = await makeFolder() } = setup
  const archive = setup.archive ?? (await openTestArchive(time.now)).archive
  const editions = await openEditions({ dir, upstream: service, now: time.now })
  onTestFinished(() => editions.close())
  const { now, sleep } = time
  const sync = createSync({
    ...setup,
    archive: toSyncArchive(archive),
    upstream: service,
    editions,
    now,
    sleep,
  })
  onTestFinished(() => sync.stop())
  const ids = () => loadIds(archive, time.at)
  const start = async () => {
    sync.start()
    await time.settled()
  }
  return { time, dir, archive, editions, sync, ids, start }
}

export async function knownDiscovery(at = WEDNESDAY) {
  const discovery = createForgetfulDiscovery()
  await discovery.note({ first_page: 1 })
  await discovery.keep({ asked_at: at })
  return discovery
}

export const community = (last: number) => range(1, last).map((id) => toRating(id))

export function withOlderDump(ratings: number, dumped: number) {
  const service = createScriptedService({ ratings: community(ratings) })
  service.dumps.posts = () => toCsv(community(dumped))
  return service
}

export async function loadTally(archive: Archive, id: number): Promise<number | undefined> {
  for await (const rows of streamRatings(archive, EVERY_RATING, { at: WEDNESDAY })) {
    const row = rows.find((one) => one.id === id)
    if (row) return row.tally_agree
  }
}

/** Seconds since 1970. */
export type VirtualTime = {
  at: number
  now: () => number
  sleep: Sleep
  every: (seconds: number, run: () => void) => () => void
  /** Resolves at the next sleep. */
  settled(): Promise<void>
  /** Sets the clock without waking sleepers. */
  jump(seconds: number): void
  /** Does not wait for work, for hangs. */
  tick(seconds: number): Promise<void>
  pass(seconds: number): Promise<void>
}

type Sleeper = { until: number; end: () => void }

export function createVirtualTime(start: number): VirtualTime {
  let sleepers: Sleeper[] = []
  let timers: { at: number; seconds: number; run: () => void }[] = []
  let waiting: (() => void)[] = []

  const time: VirtualTime = {
    at: start,
    now: () => time.at,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const end = () => {
          sleepers = sleepers.filter((other) => other !== sleeper)
          resolve()
        }
        const sleeper = { until: time.at + Math.ceil(ms / 1000), end }
        sleepers.push(sleeper)
        signal.addEventListener('abort', end, { once: true })
        if (signal.aborted) end()
        for (const tell of waiting) tell()
        waiting = []
      }),
    every(seconds, run) {
      const timer = { at: time.at + seconds, seconds, run }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    settled: () =>
      sleepers.length > 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push(resolve)
          }),
    jump(seconds) {
      time.at += seconds
      for (const sleeper of sleepers) sleeper.until += seconds
      for (const timer of timers) timer.at += seconds
    },
    async tick(seconds) {
      time.at += seconds
      for (const { until, end } of sleepers) if (until <= time.at) end()
      for (const timer of timers.filter(({ at }) => at <= time.at)) {
        timer.at += timer.seconds
        timer.run()
      }
      await turnsOfTheLoop()
    },
    async pass(seconds) {
      const target = time.at + seconds
      for (;;) {
        await time.settled()
        const [next] = sleepers.sort((a, b) => a.until - b.until)
        const [timer] = timers.sort((a, b) => a.at - b.at)
        if (timer && timer.at <= Math.min(target, next?.until ?? target)) {
          time.at = Math.max(time.at, timer.at)
          timer.at += timer.seconds
          timer.run()
          await turnsOfTheLoop()
          continue
        }
        if (!next || next.until > target) break
        time.at = Math.max(time.at, next.until)
        next.end()
      }
      time.at = target
    },
  }
  return time
}

/** The database answers from a different thread. */
async function turnsOfTheLoop(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

const RESTART_SECONDS = 5 * HOUR
/** Reopening at every restart would dominate the test. */
const EDITIONS_REOPENED = 8
const RATING_SECONDS = 6 * HOUR

export type Year = {
  limit: number | null
  from: number
  to: number
  isDown?: LimitedService['isDown']
  clicks?: boolean
  look?: (sync: Sync, at: number) => void
}

export async function simulate(options: Year): Promise<LimitedService> {
  const { limit, from, to, isDown, clicks = false, look } = options
  const time = createVirtualTime(from)
  const { now, sleep } = time
  const post = (id: number) => toRating(id, { created_at: from + (id - 29) * RATING_SECONDS })
  const scripted = createScriptedService({ ratings: range(1, 29).map(post), pageSize: 100 })
  const service = limitService(scripted, { limit, now })
  if (isDown) service.isDown = isDown
  const archive = createBareArchive()
  const dir = await makeFolder()
  const kept = createKept()
  const known = await knownDiscovery()
  // Avoids discovery requests.
  const discovery = { ...known, notes: () => ({ ...known.notes(), asked_at: time.at }) }
  let hour = 0
  let starts = 0
  let editions = await openEditions({ dir, upstream: service, now, keep: 2 })

  for (; time.at < to; starts += 1) {
    if (starts % EDITIONS_REOPENED === 0) {
      await editions.close()
      editions = await openEditions({ dir, upstream: service, now, keep: 2 })
    }
    const runLog = createRunLog(now, kept)
    const random = () => ((hour * 7919) % 1009) / 1009
    const sync = createSync({
      archive,
      upstream: service,
      editions,
      now,
      sleep,
      random,
      runLog,
      discovery,
    })
    sync.start()
    await time.settled()
    for (const end = time.at + RESTART_SECONDS; time.at < end; hour += 1) {
      await time.pass(HOUR)
      await time.settled()
      const posted = Math.floor((time.at - from) / RATING_SECONDS)
      while (scripted.ratings.length < 29 + posted) {
        scripted.ratings.push(post(scripted.ratings.length + 1))
      }
      if (clicks) sync.requestRun()
      if (clicks && hour % 3 === 0) {
        await service.fetchPage(3, { purpose: 'people' }).catch(() => undefined)
      }
    }
    look?.(sync, time.at)
    await sync.stop()
  }
  await editions.close()
  return service
}
