import { type ToAddress, toMessage } from './messages.ts'
import type { RuleBook } from './rules.ts'
import type { AlertState, Message, RuleState, TargetState } from './state.ts'

const HOUR_SECONDS = 3600
/** When full, events stay held and are summarized once there is room. */
export const OUTBOX_MAX = 1000
export const GIVEN_UP_MAX = 200

const AS_NEW = { attempts: 0, overtaken: null, reason: null } as const

type Posting = {
  at: number
  makeId: () => string
  toAddress: ToAddress
}

export function post(state: AlertState, book: RuleBook, posting: Posting): AlertState {
  const { at, makeId, toAddress } = posting
  const read = new Map(book.rules.map(({ rule }) => [rule.name, rule]))
  const outbox = [...state.outbox]
  const rules = state.rules.map((kept): RuleState => {
    const rule = read.get(kept.name)
    if (!rule || kept.held === null || outbox.length >= OUTBOX_MAX) return kept
    outbox.push({
      id: makeId(),
      rule: rule.name,
      webhook: rule.webhook,
      made_at: at,
      ...toMessage(rule, kept.held, at, toAddress),
      ...AS_NEW,
      retry_at: at,
    })
    return { ...kept, held: null, told_at: at }
  })
  return outbox.length === state.outbox.length ? state : { ...state, rules, outbox }
}

/** Retry delays in seconds; the last one repeats. */
const PAUSES = [10, 30, 120, 600, 1800, 3600, 7200, 14_400]
const PAUSE_MAX = 14_400
/** A message is given up after this time … */
const PATIENCE_SECONDS = 36 * HOUR_SECONDS
/** … but not before this many attempts: the clock may jump. */
const ATTEMPTS_LEAST = 12

const isTooLong = (message: Message, attempts: number, at: number) =>
  at - message.made_at >= PATIENCE_SECONDS && attempts >= ATTEMPTS_LEAST

/** After this many failures a message no longer blocks later ones. */
const HOLDING_TRIES = 2
/** Failures before a message is given up once later ones were delivered. */
const OVERTAKEN_MAX = 5
const WEBHOOKS_AT_ONCE = 8

/** Seconds, with 20 % jitter. `random`: 0 to below 1. */
export const toPause = (failures: number, random: number): number =>
  Math.round((PAUSES[failures - 1] ?? PAUSE_MAX) * (0.8 + 0.4 * random))

/** An instant beyond any possible delay comes from a wrong clock and counts as due. */
const isDue = (instant: number, at: number) => instant <= at || instant - at > 2 * PAUSE_MAX

/**
 * No other node claims these messages before `until`; after a crash they become due then. `most` is
 * per webhook.
 */
export function claim(
  state: AlertState,
  { at, until, most }: { at: number; until: number; most: number },
): { state: AlertState; claimed: readonly Message[] } {
  const targets = new Map(state.targets.map((target) => [target.name, target]))
  const waiting = new Map<string, Message[]>()
  for (const message of state.outbox) {
    const queue = waiting.get(message.webhook)
    if (queue) queue.push(message)
    else waiting.set(message.webhook, [message])
  }
  const claimed = [...waiting]
    .map(([name, queue]) => selectDue(queue, targets.get(name), at).slice(0, most))
    .filter((due) => due.length > 0)
    .slice(0, WEBHOOKS_AT_ONCE)
    .flat()
  if (claimed.length === 0) return { state, claimed }
  const ids = new Set(claimed.map(({ id }) => id))
  const outbox = state.outbox.map((message) =>
    ids.has(message.id) ? { ...message, retry_at: until } : message,
  )
  return { state: { ...state, outbox }, claimed }
}

/**
 * After a failure, probes with the oldest message, plus the next if the oldest no longer blocks.
 */
function selectDue(
  queue: readonly Message[],
  target: TargetState | undefined,
  at: number,
): readonly Message[] {
  const isDueNow = ({ retry_at }: { retry_at: number }) => isDue(retry_at, at)
  if (!target || target.failures === 0) return queue.filter(isDueNow)
  if (!isDueNow(target)) return []
  const others = queue.filter(({ overtaken }) => overtaken === null)
  const due = (others.length > 0 ? others : queue).filter(isDueNow)
  return due.slice(0, due[0] && holdsUpOthers(due[0]) ? 1 : 2)
}

export const holdsUpOthers = ({ attempts, overtaken }: Message): boolean =>
  overtaken === null && attempts < HOLDING_TRIES

export const release = (
  state: AlertState,
  { ids, until, at }: { ids: ReadonlySet<string>; until: number; at: number },
): AlertState => ({
  ...state,
  outbox: state.outbox.map((message) =>
    ids.has(message.id) && message.retry_at === until ? { ...message, retry_at: at } : message,
  ),
})

/** `isFinal`: a retry cannot succeed. `waitSeconds`: from `Retry-After`. */
export type Outcome =
  | { delivered: true }
  | { delivered: false; reason: string; isFinal: boolean; waitSeconds: number }

type Settling = { at: number; random: () => number }

export function settle(
  state: AlertState,
  outcomes: ReadonlyMap<string, Outcome>,
  settling: Settling,
): AlertState {
  const targets = new Map(state.targets.map((target) => [target.name, target]))
  const failing = new Set<string>()
  const given_up: Message[] = []
  let outbox: Message[] = []
  let sent = state.sent
  for (const message of state.outbox) {
    const outcome = outcomes.get(message.id)
    const target = targets.get(message.webhook) ?? toTarget(message.webhook)
    if (!outcome) outbox.push(message)
    else if (outcome.delivered) {
      sent += 1
      targets.set(target.name, { ...toTarget(target.name), sent_at: settling.at })
      failing.delete(target.name)
      outbox = outbox.map((one) => (one.webhook === target.name ? overtake(one, settling) : one))
    } else {
      // Consecutive failures in one round count once and share one delay.
      const known = failing.has(target.name) ? target : null
      const failed = settleFailure(message, outcome, { ...settling, target, known })
      targets.set(target.name, failed.target)
      if (!outcome.isFinal && message.overtaken === null) failing.add(target.name)
      if (failed.isOver) given_up.push(failed.message)
      else outbox.push(failed.message)
    }
  }
  const settled = { ...state, outbox, sent, targets: [...targets.values()] }
  return keepOrder(settled, given_up, settling.at)
}

/** A later message was delivered, so this one is at fault itself. */
const overtake = (message: Message, { at, random }: Settling): Message =>
  message.attempts === 0 || message.overtaken !== null
    ? message
    : { ...message, overtaken: 0, retry_at: at + toPause(1, random()) }

type Failing = Settling & {
  target: TargetState
  known: TargetState | null
}

type Failed = { message: Message; target: TargetState; isOver: boolean }

function settleFailure(
  message: Message,
  { reason, isFinal, waitSeconds }: Extract<Outcome, { delivered: false }>,
  { at, random, target, known }: Failing,
): Failed {
  const attempts = message.attempts + 1
  const noted = { ...target, failed_at: at, reason }
  const toRetry = (failures: number) =>
    Math.round(at + Math.min(Math.max(toPause(failures, random()), waitSeconds), 1.2 * PAUSE_MAX))
  if (isFinal) {
    const over = { ...message, attempts, reason, retry_at: at }
    return { message: over, target: noted, isOver: true }
  }
  if (message.overtaken !== null) {
    const overtaken = message.overtaken + 1
    const isOver = overtaken >= OVERTAKEN_MAX || isTooLong(message, attempts, at)
    const why = isOver ? `${reason} Later messages were delivered.` : reason
    const retry_at = isOver ? at : toRetry(overtaken + 1)
    return {
      message: { ...message, attempts, overtaken, reason: why, retry_at },
      target: noted,
      isOver,
    }
  }
  const failures = known?.failures ?? target.failures + 1
  const retry_at = known?.retry_at ?? toRetry(failures)
  const isOver = isTooLong(message, Math.max(attempts, failures), at)
  return {
    message: { ...message, attempts, reason, retry_at: isOver ? at : retry_at },
    target: { ...noted, failures, retry_at },
    isOver,
  }
}

function keepOrder(state: AlertState, given_up: readonly Message[], at: number): AlertState {
  const away = new Map(
    state.targets.filter(({ failures }) => failures > 0).map((target) => [target.name, target]),
  )
  const isLost = (message: Message) =>
    isTooLong(message, away.get(message.webhook)?.failures ?? 0, at)
  const lost = state.outbox.filter(isLost).map((message) => ({
    ...message,
    reason: message.reason ?? away.get(message.webhook)?.reason ?? null,
    retry_at: at,
  }))
  const all = [...state.given_up, ...given_up, ...lost].slice(-GIVEN_UP_MAX)
  const outbox = lost.length === 0 ? state.outbox : state.outbox.filter((one) => !isLost(one))
  return { ...state, outbox, given_up: all }
}

const toTarget = (name: string): TargetState => ({
  name,
  failures: 0,
  retry_at: 0,
  failed_at: null,
  reason: null,
  sent_at: null,
})

export function sendAgain(state: AlertState, id: string | null, at: number): AlertState {
  const again = state.given_up.filter((message) => id === null || message.id === id)
  if (again.length === 0) return state
  const ids = new Set(again.map((message) => message.id))
  const webhooks = new Set(again.map(({ webhook }) => webhook))
  return {
    ...state,
    given_up: state.given_up.filter((message) => !ids.has(message.id)),
    outbox: [
      ...state.outbox,
      ...again.map((message) => ({ ...message, ...AS_NEW, made_at: at, retry_at: at })),
    ].slice(0, OUTBOX_MAX + GIVEN_UP_MAX),
    targets: state.targets.map((target) =>
      webhooks.has(target.name) ? { ...target, failures: 0, retry_at: at } : target,
    ),
  }
}
