import type { AlertRule, QuietHours } from '#lib/contract/alert-rules.ts'
import { AT_MOST_AN_HOUR } from '#lib/contract/alert-rules.ts'
import { type ToAddress, toMessage } from './messages.ts'
import type { RuleBook } from './rules.ts'
import type { AlertState, Message, RuleState, TargetState } from './state.ts'

const HOUR_SECONDS = 3600
/** More messages do not wait: what happens then is held, and summed up once there is room. */
export const OUTBOX_MAX = 1000
/** Of those given up the oldest go. */
export const GIVEN_UP_MAX = 200

type Posting = {
  /** Seconds since 1970. */
  at: number
  /** A text that nobody else makes. */
  makeId: () => string
  toAddress: ToAddress
}

/** Makes messages of what rules hold, where they may tell something now. */
export function post(state: AlertState, book: RuleBook, posting: Posting): AlertState {
  const { at, makeId, toAddress } = posting
  const read = new Map(book.rules.map(({ rule }) => [rule.name, rule]))
  const outbox = [...state.outbox]
  const rules = state.rules.map((kept): RuleState => {
    const rule = read.get(kept.name)
    if (!rule || kept.held === null || outbox.length >= OUTBOX_MAX) return kept
    const told = selectLastHour(kept.told, at)
    const isLoud = told.length < (rule.at_most_an_hour ?? AT_MOST_AN_HOUR)
    if (!isLoud || isQuiet(rule.quiet_hours, at)) return kept
    outbox.push({
      ...{ id: makeId(), rule: rule.name, webhook: rule.webhook, made_at: at },
      ...toMessage(rule, kept.held, at, toAddress),
      ...{ attempts: 0, retry_at: at, reason: null },
    })
    return { ...kept, held: null, told: [...told, at], told_at: at }
  })
  return outbox.length === state.outbox.length ? state : { ...state, rules, outbox }
}

/** Also those that are yet to come, by a clock that went back. */
const selectLastHour = (told: readonly number[], at: number) =>
  told.filter((instant) => Math.abs(at - instant) < HOUR_SECONDS)

/** Whether it is between the two times of day there; from 22:00 to 07:00 goes over midnight. */
export function isQuiet(hours: AlertRule['quiet_hours'], at: number): boolean {
  if (!hours) return false
  const time = toTimeOfDay(hours.zone, at)
  const { from, to } = hours
  return from <= to ? from <= time && time < to : from <= time || time < to
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function toTimeOfDay(zone: QuietHours['zone'], at: number): string {
  const known = clocks.get(zone)
  const clock =
    known ??
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' })
  if (!known) clocks.set(zone, clock)
  return clock.format(at * 1000)
}

/** The pauses after a message did not come through, in seconds; the last one goes on. */
const PAUSES = [10, 30, 120, 600, 1800, 3600, 7200, 14_400]
const PAUSE_MAX = 14_400
/** A message that did not come through by then is given up: a receiver may be away for a day and a night. */
const PATIENCE_SECONDS = 36 * HOUR_SECONDS
/** And not before so many attempts: a clock that jumps must not give up what was hardly tried. */
const ATTEMPTS_LEAST = 12

const isTooLong = (message: Message, attempts: number, at: number) =>
  at - message.made_at >= PATIENCE_SECONDS && attempts >= ATTEMPTS_LEAST

/** The pause after so many failures in a row, some longer, some shorter. `random` from 0 to below 1. */
export const toPause = (failures: number, random: number): number =>
  Math.round((PAUSES[failures - 1] ?? PAUSE_MAX) * (0.8 + 0.4 * random))

/** Due by its instant; one that no pause reaches was made by a clock that went wrong. */
const isDue = (instant: number, at: number) => instant <= at || instant - at > 2 * PAUSE_MAX

/**
 * The messages to be sent now, marked as under way until `until`: whoever else looks leaves them alone, and where whoever sends them
 * ends before, they are tried again. Of a webhook that did not answer last, only the oldest.
 */
export function claim(
  state: AlertState,
  { at, until, most }: { at: number; until: number; most: number },
): { state: AlertState; claimed: readonly Message[] } {
  const targets = new Map(state.targets.map((target) => [target.name, target]))
  const taken = new Map<string, number>()
  const claimed: Message[] = []
  for (const message of state.outbox) {
    const target = targets.get(message.webhook)
    const room = (target?.failures ?? 0) > 0 ? 1 : most
    const count = taken.get(message.webhook) ?? 0
    if (claimed.length >= most || count >= room || !isDue(message.retry_at, at)) continue
    if (target && !isDue(target.retry_at, at)) continue
    taken.set(message.webhook, count + 1)
    claimed.push(message)
  }
  if (claimed.length === 0) return { state, claimed }
  const ids = new Set(claimed.map(({ id }) => id))
  const outbox = state.outbox.map((message) =>
    ids.has(message.id) ? { ...message, retry_at: until } : message,
  )
  return { state: { ...state, outbox }, claimed }
}

/** What became of a message. `isFinal`: no other attempt will do better. `waitSeconds`: what the receiver asked for. */
export type Outcome =
  | { delivered: true }
  | { delivered: false; reason: string; isFinal: boolean; isAway: boolean; waitSeconds: number }

/** Takes out what came through, and says when the rest is tried again, or gives it up. */
export function settle(
  state: AlertState,
  outcomes: ReadonlyMap<string, Outcome>,
  { at, random }: { at: number; random: () => number },
): AlertState {
  const targets = new Map(state.targets.map((target) => [target.name, target]))
  const given_up: Message[] = []
  let sent = state.sent
  const outbox = state.outbox.flatMap((message): Message[] => {
    const outcome = outcomes.get(message.id)
    if (!outcome) return [message]
    const target = targets.get(message.webhook) ?? toTarget(message.webhook)
    if (outcome.delivered) {
      sent += 1
      targets.set(message.webhook, { ...toTarget(message.webhook), sent_at: at })
      return []
    }
    const { reason, isAway, isFinal, waitSeconds } = outcome
    const tried = { ...message, attempts: message.attempts + 1, reason }
    const failures = isAway ? target.failures + 1 : target.failures
    const pause = Math.max(toPause(isAway ? failures : tried.attempts, random()), waitSeconds)
    const retry_at = at + Math.min(pause, 1.2 * PAUSE_MAX)
    const failed = { failed_at: at, reason }
    const left = isAway ? { failures, retry_at } : {}
    targets.set(message.webhook, { ...target, ...failed, ...left })
    if (isFinal || isTooLong(message, Math.max(tried.attempts, failures), at)) {
      given_up.push({ ...tried, retry_at: at })
      return []
    }
    return [{ ...tried, retry_at: Math.round(retry_at) }]
  })
  return keepOrder({ ...state, outbox, sent, targets: [...targets.values()] }, given_up, at)
}

/** What waited behind a receiver that was away for too long goes with it. */
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
  ...{ name, failures: 0, retry_at: 0, failed_at: null, reason: null, sent_at: null },
})

/** Puts messages that were given up back, to be sent as if they were new; all of them, or one by its id. */
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
      ...again.map((message) => ({
        ...message,
        made_at: at,
        attempts: 0,
        retry_at: at,
        reason: null,
      })),
    ].slice(0, OUTBOX_MAX + GIVEN_UP_MAX),
    targets: state.targets.map((target) =>
      webhooks.has(target.name) ? { ...target, failures: 0, retry_at: at } : target,
    ),
  }
}
