import type { Archive } from '#lib/archive/archive.ts'
import { selectNews } from '#lib/archive/ratings/news.ts'
import { createPoller, type Poller } from '#lib/async/poller.ts'
import type { AlertMessage, AlertsReport, TriedAnswer } from '#lib/contract/answers/alerts.ts'
import type { Alarm } from '#lib/contract/answers/status.ts'
import { AppError, toAppError } from '#lib/contract/faults.ts'
import type { SharedFile } from '#lib/files/json-file.ts'
import type { EventLog, Log, Sync } from '#lib/sync/sync.ts'
import type { Deliverer } from './deliver.ts'
import { toBody } from './formats.ts'
import { type Facts, judge, toAsking } from './judge.ts'
import { describeRule, type ToAddress, toTestMessage } from './messages.ts'
import { claim, holdsUpOthers, type Outcome, post, release, sendAgain, settle } from './outbox.ts'
import { createRules, type RuleBook, type Rules, type StoredRules } from './rules.ts'
import { type AlertState, type Message, NOTHING_JUDGED } from './state.ts'

export type KeptAlerts = {
  report(): Promise<AlertsReport>
  add(wanted: unknown): Promise<void>
  remove(name: string): Promise<void>
  /** Throws AppError `not_found` or `rate_limited`. */
  tryOut(webhook: string): Promise<TriedAnswer['data']>
  sendAgain(id: string | null): Promise<void>
  settled(): Promise<void>
  close(): Promise<void>
}

export type AlertRecords = {
  rules: SharedFile<StoredRules>
  state: SharedFile<AlertState>
  refresh: () => Promise<void>
}

export type AlertsOptions = {
  archive: Pick<Archive, 'state' | 'reader'>
  sync: Pick<Sync, 'alarms' | 'state' | 'onChange'>
  records: AlertRecords
  isJudging: () => boolean
  deliverer: Deliverer
  allowsPrivate: boolean
  toAddress: ToAddress
  eventLog?: Pick<EventLog, 'append'>
  /** Whole seconds since 1970. */
  now: () => number
  /** Monotonic milliseconds. */
  nowMs: () => number
  random: () => number
  makeId: () => string
  every: (seconds: number, run: () => void) => () => void
  hide: (secret: string) => void
  log: Log
}

const POLL_SECONDS = 5
/** Judges at least this often: a consensus changes as ratings expire, without a commit. */
const JUDGE_MS = 60_000
/** An alarm counts as over after this long, so flapping and restarts raise it only once. */
const OVER_MS = 300_000
const CLAIMED_MAX = 8
/** Lease of a message. One attempt takes at most 15 seconds. */
const CLAIM_SECONDS = 60
/** A process suspended for longer does not send: its lease could end meanwhile. */
const SEND_WITHIN_MS = 30_000
/** After this, the rest of a slow webhook's messages wait for the next round. */
const GO_ON_MS = 10_000
const TRIES_AT_ONCE = 4
const RETRY_SECONDS = 5

/** Judged state and outbox are one document, so a crash loses no event and queues none twice. */
export function keepAlerts(options: AlertsOptions): KeptAlerts {
  const { records, deliverer, now, hide } = options
  const rules = createRules({ stored: records.rules, allowsPlain: options.allowsPrivate, hide })
  const sending = createGuardedPoller(options, 'alerts could not be sent', async (signal) => {
    await send(options, await rules.load(), signal)
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
      const state = (await records.state.load()) ?? NOTHING_JUDGED
      return {
        ...toReport(state, await rules.load()),
        is_judging: options.isJudging(),
        problem: judging.problem() ?? sending.problem(),
      }
    },
    add: async (wanted) => await afterChange(rules.add(wanted)),
    remove: async (name) => await afterChange(rules.remove(name)),
    async tryOut(webhook) {
      const target = (await rules.load()).targets.get(webhook)
      if (!target) throw new AppError('not_found', 'No webhook has that name.')
      if (trying.has(webhook)) throw tooMany('This webhook is already being tested.')
      if (trying.size >= TRIES_AT_ONCE) throw tooMany('Too many webhooks are being tested.')
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

function createJudging(options: AlertsOptions, rules: Rules, onJudged: () => void): GuardedPoller {
  const { archive, sync, records, nowMs } = options
  const alarms = createAlarmMemory(options)
  let judged: { key: string; atMs: number } | null = null
  const toKey = () => `${archive.state().version} ${alarms.key()} ${sync.state().state}`
  const poller = createGuardedPoller(options, 'alerts could not be evaluated', async () => {
    await records.refresh()
    const book = await rules.load()
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

/** Discarded if another node has judged meanwhile. */
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

/** The initial fill raises no alerts. */
const isFilling = (state: ReturnType<Sync['state']>['state']) =>
  state === 'starting' || state === 'bootstrapping'

const isEqual = (a: AlertState, b: AlertState) =>
  JSON.stringify([a.known, a.rules, a.outbox]) === JSON.stringify([b.known, b.rules, b.outbox])

type AlarmMemory = ReturnType<typeof createAlarmMemory>

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
    // An aborted attempt may have been delivered, so its lease is left to end.
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
  const reason = 'No rule uses its webhook anymore.'
  return { delivered: false, reason, isFinal: false, waitSeconds: 0 }
}

type DeliveryResult = {
  claimed: readonly Message[]
  outcomes: ReadonlyMap<string, Outcome>
  lost: readonly Message[]
}

function tellFailures(
  { eventLog, log }: AlertsOptions,
  { claimed, outcomes, lost }: DeliveryResult,
): void {
  for (const { id, rule, webhook } of claimed) {
    const outcome = outcomes.get(id)
    if (!outcome || outcome.delivered) continue
    log('an alert could not be delivered', { id, rule, webhook, why: outcome.reason })
  }
  for (const { rule, webhook, reason } of lost) {
    const message = `An alert to “${rule}” failed: ${reason}`
    eventLog?.append({ level: 'warning', kind: 'process', message, fields: { webhook } })
  }
}

const SHOWN_MAX = 50
const PROBLEMS_MAX = 100

type RulesReport = Omit<AlertsReport, 'is_judging' | 'problem'>

export function toReport(state: AlertState, book: RuleBook): RulesReport {
  const kept = new Map(state.rules.map((rule) => [rule.name, rule]))
  const targets = new Map(state.targets.map((target) => [target.name, target]))
  return {
    problems: book.problems.slice(0, PROBLEMS_MAX),
    rules: book.rules.map(({ rule, definition }) => {
      const found = kept.get(rule.name)
      const own = found?.definition === definition ? found : undefined
      return {
        name: rule.name,
        kind: rule.kind,
        webhook: rule.webhook,
        what: describeRule(rule),
        since: own?.since ?? null,
        told_at: found?.told_at ?? null,
      }
    }),
    webhooks: [...book.targets].map(([name, { url, format }]) => {
      const target = targets.get(name)
      const { failed_at: at = null, reason = null, failures = 0 } = target ?? {}
      const retry_at = failures > 0 ? (target?.retry_at ?? null) : null
      const isFailing = at !== null && reason !== null
      return {
        name,
        host: url.host,
        format,
        sent_at: target?.sent_at ?? null,
        failure: isFailing ? { at, reason, retry_at } : null,
      }
    }),
    outbox: state.outbox.slice(-SHOWN_MAX).reverse().map(toEntry),
    outbox_total: state.outbox.length,
    given_up: state.given_up.slice(-SHOWN_MAX).reverse().map(toEntry),
    given_up_total: state.given_up.length,
    sent: state.sent,
  }
}

const toEntry = (message: Message): AlertMessage => {
  const { id, rule, webhook, text, made_at, attempts, retry_at: at, reason } = message
  return { id, rule, webhook, text, made_at, attempts, at, reason }
}
