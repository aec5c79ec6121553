import type { Rhythm } from '#lib/archive/archive.ts'
import type { SyncRun } from '#lib/contract/answers/sync-runs.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { type DumpKind, editionAt } from '#lib/contract/weekly-clock.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import type { AlarmFacts } from './alarms.ts'
import { isFresh } from './edition-age.ts'
import type { EditionFacts } from './edition-alarms.ts'
import { selectLeft, selectRunsOutAt } from './planner.ts'
import type { DiscoveryStore, EditionStore, Heartbeat, SyncArchive, SyncState } from './sync.ts'
import type { Schedule } from './sync-schedule.ts'
import type { Trouble } from './trouble.ts'

/** The archive is asked no more often than this. */
const ASK_SECONDS = 600
/** A dump may be made from what there was a little earlier. */
const SLACK_SECONDS = 3600

export type FactDeps = {
  archive: SyncArchive
  editions: EditionStore
  upstream: Upstream
  discovery: DiscoveryStore
  schedule: Schedule
  /** What ran, the newest first. */
  runLog: { list(): SyncRun[] }
  failureStreak: Trouble
  heartbeat: { read(): Heartbeat }
  state: () => SyncState
  now: () => number
  expectsNew: boolean
  rebuiltAt: number | null
}

type Asked = { at: number; key: string; postingRate: Rhythm | null; lacks: number }

/** Gathers what the alarms are judged by. Throws what the archive throws. */
export function createAlarmFacts(deps: FactDeps): () => Promise<AlarmFacts> {
  const {
    archive,
    editions,
    upstream,
    discovery,
    schedule,
    runLog,
    failureStreak,
    heartbeat,
    now,
  } = deps
  let asked: Asked | null = null

  const ask = async (): Promise<Asked> => {
    const key = `${editions.current('posts')?.sha256} ${editions.imported()?.generation}`
    const isFresh = asked?.key === key && Math.abs(now() - asked.at) < ASK_SECONDS
    if (asked && isFresh) return asked
    const postingRate = await archive.selectRhythm()
    asked = { at: now(), key, postingRate, lacks: await countLacking(deps) }
    return asked
  }
  return async () => {
    const { postingRate, lacks } = await ask()
    schedule.dumps.posts.suspect(lacks > 0)
    const budget = upstream.budget()
    const failing = failureStreak.read()
    const { skew, checkedAt } = { skew: budget.clockSkewSeconds, checkedAt: selectCheckedAt(deps) }
    return {
      refusedAt: failing?.isRefused ? failing.since : null,
      failing,
      checkedAt,
      followSeconds: schedule.followSeconds(),
      budget: {
        limit: budget.month.limit,
        left: selectLeft(budget, now()),
        reserved: budget.reserved,
        runsOutAt: selectRunsOutAt(schedule.spending()),
      },
      editions: { posts: toFacts('posts', lacks, deps), lookups: toFacts('lookups', 0, deps) },
      postingRate,
      expectsNew: deps.expectsNew,
      vanished: selectVanished(runLog),
      clockSkewSeconds: skew ?? discovery.read().clock_skew_seconds,
      rebuiltAt: deps.rebuiltAt,
      stalledAt: heartbeat.read().stalled ? heartbeat.read().at : null,
    }
  }
}

/** When the pages were last read in this process, or what the archive says of an earlier one. */
const selectCheckedAt = ({ state, archive }: FactDeps) =>
  state().checked_at ?? archive.state().completeTo

function toFacts(kind: DumpKind, lacks: number, deps: FactDeps): EditionFacts {
  const { editions, schedule, now } = deps
  const current = editions.current(kind)
  const failure = editions.failure(kind)
  const listed = editions.list(kind)
  const kept = listed.filter(({ state }) => state !== 'aside')
  const heldBack = listed.find(({ state }) => state === 'aside')?.reason ?? null
  return {
    dueAt: editionAt(now()) + schedule.dumps[kind].settleSeconds,
    isHere: current !== null && isFresh(current, now()),
    isUnknown: !current && (!failure || failure.fault === 'upstream_contract'),
    isSpared: schedule.dumps[kind].due().why === 'spared',
    isUnchanged: current?.unchanged ?? false,
    lacks,
    heldBack,
    rows: kept.map(({ rows }) => rows),
  }
}

/** Ratings held that were posted after the newest row of the posts dump, and long enough before it was made. */
async function countLacking({ archive, editions, now }: FactDeps): Promise<number> {
  const posts = editions.current('posts')
  if (!posts || posts.newestCreatedAt === null) return 0
  const [from, to] = [posts.newestCreatedAt + 1, editionAt(posts.fetched_at) - SLACK_SECONDS]
  if (from >= to) return 0
  const query = { ...EVERY_RATING, from, to, per_page: 1 }
  return (await archive.selectRatings(query, { at: now() })).total
}

function selectVanished(runLog: FactDeps['runLog']): AlarmFacts['vanished'] {
  const run = runLog.list().find(({ move, rows }) => move === 'reconcile' && rows !== null)
  if (!run?.rows || run.rows.vanished === 0) return null
  return { at: run.ended_at, ratings: run.rows.vanished }
}
