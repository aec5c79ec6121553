import type { PostingRate } from '#lib/archive/ratings/posting-rate.ts'
import type { Alarm, AlarmKind, SyncRun } from '#lib/contract/answers/status.ts'
import type { AppError } from '#lib/contract/faults.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { DUMP_KINDS, type DumpKind, editionAt } from '#lib/contract/weekly-clock.ts'
import { isFresh } from '#lib/sync/editions/kept-editions.ts'
import type { FailureStreak } from '#lib/sync/failure-memory.ts'
import type { DiscoveryStore, EditionStore, Heartbeat, SyncState } from '#lib/sync/sync.ts'
import type { SyncArchive } from '#lib/sync/sync-archive.ts'
import { countOf } from '#lib/sync/sync-status.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import { selectLeft, selectRunsOutAt } from './budget.ts'
import type { Schedule } from './schedule.ts'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400
const WEEK = 7 * DAY

const UNREACHABLE_SECONDS = 15 * MINUTE
const SILENT_SECONDS = 6 * HOUR
const SILENT_GAPS = 3
const SILENT_RATINGS = 20
const CHECKS_MISSED = 3
const SKEW_SECONDS = 5 * MINUTE

/** Content and times (Unix seconds) only, never the fact that a response was 200. */
export type AlarmFacts = {
  /** Null if the key is accepted. */
  refusedAt: number | null
  failing: { since: number; reason: string; isDisk: boolean; isService: boolean } | null
  checkedAt: number | null
  followSeconds: number | null
  budget: { limit: number | null; left: number; reserved: number; runsOutAt: number | null }
  editions: Record<DumpKind, EditionFacts>
  postingRate: { newestCreatedAt: number; ratings: number; longestGapSeconds: number } | null
  expectsNew: boolean
  vanished: { at: number; ratings: number } | null
  clockSkewSeconds: number | null
  rebuiltAt: number | null
  stalledAt: number | null
  backupFailure: BackupFailure | null
  emptyImports: readonly string[]
}

export type BackupFailure = { since: number; reason: string }

export function selectAlarms(facts: AlarmFacts, now: number): Alarm[] {
  const alarms: Alarm[] = []
  const raise = (kind: AlarmKind, since: number, message: string) =>
    alarms.push({ kind, since: Math.min(since, now), message })

  raiseOfService(facts, now, raise)
  raiseOfMachine(facts, now, raise)
  for (const { kind, since, message } of selectEditionAlarms(facts.editions, now)) {
    raise(kind, since, message)
  }
  return alarms
}

type Raise = (kind: AlarmKind, since: number, message: string) => void

function raiseOfService(facts: AlarmFacts, now: number, raise: Raise): void {
  const { refusedAt, failing, postingRate, vanished, clockSkewSeconds: skew } = facts
  if (refusedAt !== null) {
    raise(
      'refused',
      refusedAt,
      'The service does not accept the key. Nothing new is fetched. Check RATINGS_API_KEY and restart, or put a different key into the file of RATINGS_API_KEY_FILE.',
    )
  }
  const isDown = failing?.isService && now - failing.since > UNREACHABLE_SECONDS
  if (isDown && refusedAt === null) {
    raise('unreachable', failing.since, `The service cannot be read: ${failing.reason}`)
  }
  if (
    postingRate &&
    facts.expectsNew &&
    isSilent(postingRate, now) &&
    isCheckedLately(facts, now)
  ) {
    const hours = Math.round(postingRate.longestGapSeconds / HOUR)
    const usual = hours < 1 ? 'less than an hour' : hours === 1 ? 'an hour' : `${hours} hours`
    const message = `The service answers but lists no new ratings. The longest gap in the previous four weeks was ${usual}.`
    raise('silent', postingRate.newestCreatedAt, message)
  }
  if (vanished && now - vanished.at < WEEK) {
    const message = `The last dump no longer lists ${countOf(vanished.ratings, 'rating')} that it should contain. They are kept and marked.`
    raise('vanished', vanished.at, message)
  }
  if (skew !== null && Math.abs(skew) > SKEW_SECONDS) {
    const way = skew > 0 ? 'ahead of' : 'behind'
    const minutes = Math.round(Math.abs(skew) / MINUTE)
    raise('clock', now, `The clock of the service is ${minutes} minutes ${way} this machine's.`)
  }
}

function raiseOfMachine(facts: AlarmFacts, now: number, raise: Raise): void {
  const { failing, budget, rebuiltAt, stalledAt, backupFailure } = facts
  if (failing?.isDisk) {
    raise(
      'disk',
      failing.since,
      'The disk is full. Stored content is served; nothing new is fetched.',
    )
  }
  if (budget.limit !== null && budget.left < 1) {
    const kept =
      budget.reserved > 0 ? ` except ${budget.reserved} reserved for the weekly dumps` : ''
    raise('budget', now, `This month’s requests are used up${kept}.`)
  } else if (budget.runsOutAt !== null) {
    raise('budget', now, 'At this pace, this month’s requests will run out before it ends.')
  }
  if (rebuiltAt !== null && now - rebuiltAt < WEEK) {
    const message =
      'The archive file was damaged. It was set aside and the archive was filled again.'
    raise('archive_rebuilt', rebuiltAt, message)
  }
  if (stalledAt !== null) {
    raise('stalled', stalledAt, 'The sync does not respond and is being restarted.')
  }
  if (backupFailure) raise('backup', backupFailure.since, backupFailure.reason)
  if (facts.emptyImports.length > 0) {
    const files = facts.emptyImports.slice(0, FILES_NAMED).join(', ')
    const more = facts.emptyImports.length - FILES_NAMED
    const rest = more > 0 ? ` and ${more} more` : ''
    raise('import_empty', now, `Nothing could be read from ${files}${rest}. See /status.`)
  }
}

const FILES_NAMED = 3

function isSilent(postingRate: NonNullable<AlarmFacts['postingRate']>, now: number): boolean {
  const { newestCreatedAt, ratings, longestGapSeconds } = postingRate
  if (ratings < SILENT_RATINGS) return false
  return now - newestCreatedAt > Math.max(SILENT_SECONDS, SILENT_GAPS * longestGapSeconds)
}

function isCheckedLately({ checkedAt, followSeconds }: AlarmFacts, now: number): boolean {
  if (checkedAt === null) return false
  return now - checkedAt <= Math.max(HOUR, CHECKS_MISSED * (followSeconds ?? DAY))
}

const LATE_SECONDS = 6 * 3600
const FALLS = 3

/** Times in Unix seconds. */
export type EditionFacts = {
  dueAt: number
  isHere: boolean
  isUnknown: boolean
  /** Never fetched, but the pages cover the time until it was due. */
  isReplaced: boolean
  isSpared: boolean
  isUnchanged: boolean
  lacks: number
  heldBack: string | null
  rows: readonly number[]
}

function selectEditionAlarms(editions: Record<DumpKind, EditionFacts>, now: number): Alarm[] {
  const facts = DUMP_KINDS.map((kind) => ({ kind, ...editions[kind] }))
  const alarms: Alarm[] = []
  const raise = (kind: Alarm['kind'], of: { kind: DumpKind; dueAt: number }[], message: string) => {
    const [first] = of
    if (first) alarms.push({ kind, since: first.dueAt, message: message.replace('%', toNames(of)) })
  }

  const late = facts.filter((one) => isLate(one, now))
  const since = late.map((one) => ({ ...one, dueAt: one.dueAt + LATE_SECONDS }))
  raise('edition_late', since, 'The % of this week could not be fetched, hours after it was due.')
  raise(
    'edition_unchanged',
    facts.filter(({ isHere, isUnchanged }) => isHere && isUnchanged),
    'The % of this week is identical to last week’s. It will be requested again.',
  )
  const [posts] = facts
  if (posts?.isHere && !posts.isUnchanged && posts.lacks > 0) {
    const what = posts.lacks === 1 ? 'a rating' : `${posts.lacks} ratings`
    const message = `The % of this week lacks ${what} posted before it was made. It will be requested again.`
    raise('edition_unchanged', [posts], message)
  }
  const heldBack = facts.filter((one) => one.heldBack !== null)
  raise('edition_aside', heldBack, `The newest % is set aside: ${heldBack[0]?.heldBack ?? ''}`)
  const falling = facts.filter(({ rows }) => isFalling(rows))
  raise(
    'falling',
    falling,
    'Each of the last editions of the % has fewer rows than the previous one.',
  )
  return alarms
}

const toNames = (of: readonly { kind: DumpKind }[]) =>
  `${of.map(({ kind }) => kind).join(' and ')} ${of.length === 1 ? 'dump' : 'dumps'}`

const isLate = (one: EditionFacts, now: number) =>
  !one.isHere &&
  !one.isUnknown &&
  !one.isReplaced &&
  !one.isSpared &&
  one.heldBack === null &&
  now > one.dueAt + LATE_SECONDS

const isFalling = (rows: readonly number[]) =>
  rows.length > FALLS &&
  rows.slice(0, FALLS).every((number, index) => number < (rows[index + 1] ?? number))

const ASK_SECONDS = 600
const SLACK_SECONDS = 3600

type FactDeps = {
  archive: SyncArchive
  editions: EditionStore
  upstream: Upstream
  discovery: DiscoveryStore
  schedule: Schedule
  runLog: { list(): SyncRun[] }
  failureStreak: FailureStreak
  heartbeat: { read(): Heartbeat }
  state: () => SyncState
  now: () => number
  expectsNew: boolean
  rebuiltAt: number | null
  backupFailure: () => BackupFailure | null
  emptyImports: () => readonly string[]
}

type AlarmQuery = { at: number; key: string; postingRate: PostingRate | null; lacks: number }

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
  let asked: AlarmQuery | null = null

  const ask = async (): Promise<AlarmQuery> => {
    const key = `${editions.current('posts')?.sha256} ${editions.imported()?.generation}`
    const isFresh = asked?.key === key && Math.abs(now() - asked.at) < ASK_SECONDS
    if (asked && isFresh) return asked
    const postingRate = await archive.selectPostingRate()
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
      backupFailure: deps.backupFailure(),
      emptyImports: deps.emptyImports(),
    }
  }
}

const selectCheckedAt = ({ state, archive }: FactDeps) =>
  state().checked_at ?? archive.state().completeTo

function toFacts(kind: DumpKind, lacks: number, deps: FactDeps): EditionFacts {
  const { archive, editions, schedule, now } = deps
  const current = editions.current(kind)
  const failure = editions.failure(kind)
  const listed = editions.list(kind)
  const kept = listed.filter(({ state }) => state !== 'aside')
  const aside = listed.find(({ state }) => state === 'aside')?.reason ?? null
  const dueAt = editionAt(now()) + schedule.dumps[kind].settleSeconds
  const isComplete = kind === 'posts' && (archive.state().completeTo ?? 0) >= dueAt
  return {
    dueAt,
    isReplaced: isComplete && kept.length === 0,
    isHere: current !== null && isFresh(current, now()),
    isUnknown: !current && (!failure || failure.fault === 'upstream_contract'),
    isSpared: schedule.dumps[kind].due().why === 'spared',
    isUnchanged: current?.unchanged ?? false,
    lacks,
    heldBack: aside ?? selectRefused(failure),
    rows: kept.map(({ rows }) => rows),
  }
}

/** Only a dump that was fetched twice and refused has a time of the next request. */
const selectRefused = (failure: AppError | null): string | null =>
  failure?.fault === 'upstream_contract' && failure.retryAfterSeconds !== undefined
    ? failure.message
    : null

async function countLacking({ archive, editions, now }: FactDeps): Promise<number> {
  const posts = editions.current('posts')
  if (!posts || posts.newestCreatedAt === null) return 0
  const [from, to] = [posts.newestCreatedAt + 1, editionAt(posts.fetched_at) - SLACK_SECONDS]
  if (from >= to) return 0
  const query = { ...EVERY_RATING, from, to, per_page: 1 }
  return await archive.countRatings(query, now())
}

function selectVanished(runLog: FactDeps['runLog']): AlarmFacts['vanished'] {
  const run = runLog.list().find(({ move, rows }) => move === 'reconcile' && rows !== null)
  if (!run?.rows || run.rows.vanished === 0) return null
  return { at: run.ended_at, ratings: run.rows.vanished }
}

export type AlarmKeeper = {
  /** Never throws. Checks never overlap. */
  look(): Promise<void>
  list(): Alarm[]
}

export function createAlarmKeeper(deps: {
  loadFacts: () => Promise<AlarmFacts>
  now: () => number
  reporter: { raised(alarm: Alarm): void; cleared(alarm: Alarm): void }
  onChange: () => void
  onProblem: (error: unknown) => void
}): AlarmKeeper {
  const { loadFacts, now, reporter, onChange, onProblem } = deps
  let raised: Alarm[] = []
  let looking: Promise<void> | null = null

  const lookNow = async () => {
    try {
      const before = raised
      const selected = selectAlarms(await loadFacts(), now())
      // A continuing alarm keeps its start time.
      raised = selected.map((alarm) => {
        const known = before.find(({ kind }) => kind === alarm.kind)
        return known ? { ...alarm, since: Math.min(known.since, alarm.since) } : alarm
      })
      const isIn = (list: Alarm[], one: Alarm) => list.some(({ kind }) => kind === one.kind)
      const fresh = raised.filter((alarm) => !isIn(before, alarm))
      const gone = before.filter((alarm) => !isIn(raised, alarm))
      for (const alarm of fresh) reporter.raised(alarm)
      for (const alarm of gone) reporter.cleared(alarm)
      if (fresh.length + gone.length > 0) onChange()
    } catch (error) {
      onProblem(error)
    }
  }
  return {
    look() {
      looking ??= lookNow().finally(() => {
        looking = null
      })
      return looking
    },
    list: () => raised,
  }
}
