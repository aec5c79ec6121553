import type { Archive } from '#lib/archive/archive.ts'
import { selectNews } from '#lib/archive/ratings/news.ts'
import { createPoller, type Poller } from '#lib/async/poller.ts'
import type { AlertsReport, TriedAnswer } from '#lib/contract/answers/alerts.ts'
import type { Alarm } from '#lib/contract/answers/status.ts'
import { AppError, toAppError } from '#lib/contract/faults.ts'
import type { SharedFile } from '#lib/files/json-file.ts'
import type { EventLog, Log, Sync } from '#lib/sync/sync.ts'
import type { Deliverer } from './deliver.ts'
import { toBody } from './formats.ts'
import { type Facts, judge, toAsking } from './judge.ts'
import { type ToAddress, toTestMessage } from './messages.ts'
import { claim, holdsUpOthers, type Outcome, post, release, sendAgain, settle } from './outbox.ts'
import { toReport } from './report.ts'
import { createRuleFiles, type FormRules, type RuleFiles } from './rule-files.ts'
import type { RuleBook } from './rules.ts'
import { type AlertState, type Message, NOTHING_JUDGED } from './state.ts'

/** What tells people of new ratings, of a consensus that moved, and of a sync that is ill. */
export type KeptAlerts = {
  report(): Promise<AlertsReport>
  /** Adds a rule that an operator sends. Throws AppError. */
  add(wanted: unknown): Promise<void>
  remove(name: string): Promise<void>
  /** Sends one message that says that nothing has happened. Throws AppError: there is no such webhook, or too many are being tried. */
  tryOut(webhook: string): Promise<TriedAnswer['data']>
  /** Puts one message that was given up into the outbox again; all of them without an id. */
  sendAgain(id: string | null): Promise<void>
  /** Judges and sends what there is. Resolves when that is done. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** Where alerts keep their two documents: in files, or where all nodes share them. */
export type AlertRecords = {
  form: SharedFile<FormRules>
  state: SharedFile<AlertState>
  /** Reads what other nodes changed. */
  refresh: () => Promise<void>
}

export type AlertsOptions = {
  archive: Pick<Archive, 'state' | 'reader'>
  sync: Pick<Sync, 'alarms' | 'state' | 'onChange'>
  records: AlertRecords
  /** `ALERTS_FILE`; null where there is none. */
  file: string | null
  /** Whether this process judges and sends: of several nodes only the one that syncs. */
  isJudging: () => boolean
  deliverer: Deliverer
  allowsPrivate: boolean
  toAddress: ToAddress
  /** Told of what was given up. */
  eventLog?: Pick<EventLog, 'append'>
  /** Seconds since 1970; whole ones. */
  now: () => number
  /** Milliseconds by a clock that never jumps. */
  nowMs: () => number
  random: () => number
  /** A text that nobody else makes. */
  makeId: () => string
  every: (seconds: number, run: () => void) => () => void
  hide: (secret: string) => void
  log: Log
}

/** Seconds between two checks for changed files, due messages and other nodes' requests. */
const POLL_SECONDS = 5
/** A consensus changes by itself as ratings expire. */
const JUDGE_MS = 60_000
/** An alarm is over when it was gone for so long: one that flickers is one, and so is one over a restart. */
const OVER_MS = 300_000
/** Messages of one webhook in one claim. They are sent one after the other, so that they arrive in order. */
const CLAIMED_MAX = 8
/** A claimed message is not claimed again before this has passed. An attempt takes 15 seconds at most. */
const CLAIM_SECONDS = 60
/** A process that was suspended for longer than this after its claim does not send: the claim may end while it does. */
const SEND_WITHIN_MS = 30_000
/** Later than this after its claim no further message of a slow webhook is sent: the others wait for this round to end. */
const GO_ON_MS = 10_000
/** Webhooks that are tried out at once. */
const TRIES_AT_ONCE = 4
const RETRY_SECONDS = 5

/**
 * Looks after each commit, and now and then, what has happened by the rules, keeps it in an outbox and sends it from there. What was
 * judged and what is to be sent for it are one document, so nothing is told twice or lost, wherever the process is killed.
 */
export function keepAlerts(options: AlertsOptions): KeptAlerts {
  const { records, file, deliverer, now, hide } = options
  const rules = createRuleFiles({
    ...{ file, form: records.form, allowsPlain: options.allowsPrivate, now, hide },
  })
  const sending = createGuardedPoller(options, 'alerts could not be sent', async (signal) => {
    // The webhooks are known only after the first read.
    await send(options, await rules.look(), signal)
  })
  const judging = createJudging(options, rules, () => void sending.poll())
  const trying = new Set<string>()
  const afterChange = async (work: Promise<unknown>) => {
    await work
    await judging.poll()
  }
  return {
    async report() {
      await records.refresh().catch(() => undefined)
      await rules.look()
      const state = (await records.state.load()) ?? NOTHING_JUDGED
      return {
        ...toReport(state, rules.book()),
        ...{ has_file: file !== null, read_at: rules.readAt(), is_judging: options.isJudging() },
        problem: judging.problem() ?? sending.problem(),
      }
    },
    add: async (wanted) => await afterChange(rules.add(wanted)),
    remove: async (name) => await afterChange(rules.remove(name)),
    async tryOut(webhook) {
      const target = (await rules.look()).targets.get(webhook)
      if (!target) throw new AppError('not_found', 'There is no webhook of that name.')
      if (trying.has(webhook)) throw tooMany('This webhook is being tried.')
      if (trying.size >= TRIES_AT_ONCE) throw tooMany('Too many webhooks are being tried.')
      trying.add(webhook)
      try {
        const at = now()
        const body = toBody(target.format, toTestMessage(webhook, at, options.toAddress))
        const outcome = await deliverer.deliver(target, { id: options.makeId(), body }, { at })
        const { delivered, status } = outcome
        const reason = outcome.delivered ? null : outcome.reason
        return { delivered, status, reason, format: target.format, body }
      } finally {
        trying.delete(webhook)
      }
    },
    async sendAgain(id) {
      await change(records.state, (state, at) => sendAgain(state, id, at))
      await sending.poll()
    },
    async settled() {
      await judging.poll()
      await sending.poll()
    },
    async close() {
      await Promise.all([judging.close(), sending.close()])
      await deliverer.close()
    },
  }
}

const tooMany = (message: string) =>
  new AppError('rate_limited', `${message} Try again in a moment.`, {
    retryAfterSeconds: RETRY_SECONDS,
  })

type GuardedPoller = Poller & { problem: () => string | null }

/** Polls and logs a failure once, until a poll succeeds. */
function createGuardedPoller(
  { every, log }: Pick<AlertsOptions, 'every' | 'log'>,
  what: string,
  work: (signal: AbortSignal) => Promise<void>,
): GuardedPoller {
  let problem: string | null = null
  const poll = async (signal: AbortSignal) => {
    try {
      await work(signal)
      problem = null
    } catch (error) {
      if (signal.aborted) return
      if (problem === null) log(what, { why: String(error) })
      problem = toAppError(error).message
    }
  }
  return { ...createPoller({ seconds: POLL_SECONDS, every, poll }), problem: () => problem }
}

/** Judges at once after a commit, and when an alarm comes or goes; else every minute. */
function createJudging(
  options: AlertsOptions,
  rules: RuleFiles,
  onJudged: () => void,
): GuardedPoller {
  const { archive, sync, records, nowMs } = options
  const alarms = createAlarmMemory(options)
  let judged: { key: string; atMs: number } | null = null
  const toKey = () => `${archive.state().version} ${alarms.key()} ${sync.state().state}`
  const poller = createGuardedPoller(options, 'alerts could not be judged', async () => {
    await records.refresh()
    const book = await rules.look()
    if (!options.isJudging()) return
    const key = `${toKey()} ${toBookKey(book)}`
    if (judged?.key === key && nowMs() - judged.atMs < JUDGE_MS) return
    await judgeNow(options, book, alarms)
    judged = { key, atMs: nowMs() }
    onJudged()
  })
  let asked = toKey()
  const callOff = sync.onChange(() => {
    const key = toKey()
    if (key === asked) return
    asked = key
    void poller.poll()
  })
  return {
    ...poller,
    async close() {
      callOff()
      await poller.close()
    },
  }
}

const bookKeys = new WeakMap<RuleBook, number>()
let books = 0

/** Another number for other rules. */
function toBookKey(book: RuleBook): number {
  const known = bookKeys.get(book)
  if (known !== undefined) return known
  books += 1
  bookKeys.set(book, books)
  return books
}

const change = (
  kept: SharedFile<AlertState>,
  toNext: (state: AlertState, at: number) => AlertState,
): Promise<void> => kept.update((state, at) => toNext(state ?? NOTHING_JUDGED, at))

const NO_NEWS: Facts['news'] = { ids: [], matches: [], ratings: new Map(), sums: [] }

/** One judgement. Where somebody else has judged meanwhile it is dropped: he has told what there was. */
async function judgeNow(
  { archive, sync, records, now, ...options }: AlertsOptions,
  book: RuleBook,
  alarms: AlarmMemory,
): Promise<void> {
  const state = (await records.state.load()) ?? NOTHING_JUDGED
  if (book.rules.length === 0 && state.rules.length === 0) return
  const at = now()
  const { completeTo, newestCreatedAt: newest } = archive.state()
  const asking = toAsking(state, book, { at, newest })
  const isFilled = completeTo !== null && !isFilling(sync.state().state)
  const news = isFilled ? await selectNews(archive.reader, asking.query, { at }) : NO_NEWS
  const raised = alarms.read(new Set(state.rules.flatMap((rule) => rule.alarms)))
  const facts = { asking, news, alarms: raised, at }
  const judged = (kept: AlertState, postedAt: number): AlertState => {
    if (kept.judged !== state.judged) return kept
    const next = post(judge(kept, book, facts), book, { ...options, at: postedAt })
    return isEqual(next, kept) ? kept : { ...next, judged: kept.judged + 1 }
  }
  if (judged(state, at) !== state) await change(records.state, judged)
}

/** A first fill tells nothing: all of it is the past. */
const isFilling = (state: ReturnType<Sync['state']>['state']) =>
  state === 'starting' || state === 'bootstrapping'

const isEqual = (a: AlertState, b: AlertState) =>
  JSON.stringify([a.known, a.rules, a.outbox]) === JSON.stringify([b.known, b.rules, b.outbox])

type AlarmMemory = ReturnType<typeof createAlarmMemory>

/** The alarms as they are, and those that were told and have been gone for a little while only. */
function createAlarmMemory({ sync, nowMs }: Pick<AlertsOptions, 'sync' | 'nowMs'>) {
  const goneAtMs = new Map<Alarm['kind'], number>()
  return {
    key: () =>
      sync
        .alarms()
        .map(({ kind }) => kind)
        .sort()
        .join(','),
    read(told: ReadonlySet<Pick<Alarm, 'kind' | 'since'>>): Alarm[] {
      const raised = sync.alarms()
      for (const { kind } of raised) goneAtMs.delete(kind)
      const kinds = new Set(raised.map(({ kind }) => kind))
      const lingering = [...told].filter(({ kind }) => {
        if (kinds.has(kind)) return false
        const since = goneAtMs.get(kind) ?? nowMs()
        goneAtMs.set(kind, since)
        return nowMs() - since < OVER_MS
      })
      return [...raised, ...lingering.map(({ kind, since }) => ({ kind, since, message: '' }))]
    },
  }
}

/** Sends the messages that are due: each webhook's in order, several webhooks at once. Only the node whose claim was committed sends. */
async function send(options: AlertsOptions, book: RuleBook, signal: AbortSignal): Promise<void> {
  const { records, isJudging, nowMs, random } = options
  while (!signal.aborted && isJudging()) {
    const state = await records.state.load()
    if (!state || state.outbox.length === 0) return
    const startedMs = nowMs()
    let claimed: readonly Message[] = []
    let until = 0
    await change(records.state, (kept, at) => {
      until = at + CLAIM_SECONDS
      const found = claim(kept, { at, until, most: CLAIMED_MAX })
      claimed = found.claimed
      return found.state
    })
    if (claimed.length === 0 || nowMs() - startedMs > SEND_WITHIN_MS) return
    const tried = await deliverAll(options, book, { claimed, startedMs, signal })
    // An attempt that was broken off may have come through: its claim ends by itself.
    const outcomes = new Map([...tried].filter(([, one]) => one.delivered || !signal.aborted))
    const ids = new Set(claimed.map(({ id }) => id).filter((id) => !tried.has(id)))
    let lost: readonly Message[] = []
    await change(records.state, (kept, at) => {
      const next = settle(release(kept, { ids, until, at }), outcomes, { at, random })
      const known = new Set(kept.given_up.map(({ id }) => id))
      lost = next.given_up.filter(({ id }) => !known.has(id))
      return next
    })
    tellFailures(options, { claimed, outcomes, lost })
  }
}

type Claimed = { claimed: readonly Message[]; startedMs: number; signal: AbortSignal }

/** The outcomes of the messages that were tried, in the order of each webhook's messages. */
async function deliverAll(
  options: AlertsOptions,
  book: RuleBook,
  { claimed, startedMs, signal }: Claimed,
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  const deliverQueue = async (webhook: string) => {
    const queue = claimed.filter((message) => message.webhook === webhook)
    for (const [index, message] of queue.entries()) {
      if (index > 0 && (signal.aborted || options.nowMs() - startedMs > GO_ON_MS)) return
      const outcome = await deliverOne(options, book, { message, signal })
      outcomes.set(message.id, outcome)
      if (!outcome.delivered && !outcome.isFinal && holdsUpOthers(message)) return
    }
  }
  await Promise.all([...new Set(claimed.map(({ webhook }) => webhook))].map(deliverQueue))
  return outcomes
}

async function deliverOne(
  { deliverer, now }: AlertsOptions,
  { targets }: RuleBook,
  { message, signal }: { message: Message; signal: AbortSignal },
): Promise<Outcome> {
  const target = targets.get(message.webhook)
  if (target) {
    const body = toBody(target.format, message)
    return await deliverer.deliver(target, { id: message.id, body }, { at: now(), signal })
  }
  // It may come back: a file that is being written is whole a moment later.
  const reason = 'Its webhook is in no rules now.'
  return { delivered: false, reason, isFinal: false, waitSeconds: 0 }
}

type Told = {
  claimed: readonly Message[]
  outcomes: ReadonlyMap<string, Outcome>
  /** What was given up. */
  lost: readonly Message[]
}

function tellFailures({ eventLog, log }: AlertsOptions, { claimed, outcomes, lost }: Told): void {
  for (const { id, rule, webhook } of claimed) {
    const outcome = outcomes.get(id)
    if (!outcome || outcome.delivered) continue
    log('an alert did not come through', { id, rule, webhook, why: outcome.reason })
  }
  for (const { rule, webhook, reason } of lost) {
    const message = `An alert of “${rule}” was given up: ${reason}`
    eventLog?.append({ level: 'warning', kind: 'process', message, fields: { webhook } })
  }
}
