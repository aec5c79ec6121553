import type { KeyFinder } from './access.ts'
import type { Validators } from './upstream.ts'

export const NO_VALIDATORS: Validators = { etag: null, lastModified: null }

/** Whether an answer can be told apart from another at all. */
export const hasValidator = ({ etag, lastModified }: Validators): boolean =>
  etag !== null || lastModified !== null

const ETAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,256}"$/
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
/** What was changed in the seconds before it was sent may be changed again within the same second. */
const SETTLED_SECONDS = 60

/**
 * What an answer is told apart by. A date counts only where it lies a minute or more before the answer's own: a younger
 * one may stand for two versions. What repeats the key, or is no validator, counts as none.
 */
export function readValidators(headers: Headers, key: KeyFinder): Validators {
  const etag = headers.get('etag')
  const lastModified = headers.get('last-modified')
  const isKept = (text: string | null, form: RegExp): text is string =>
    text !== null && form.test(text) && !key.isIn(Buffer.from(text))
  return {
    etag: isKept(etag, ETAG) ? etag : null,
    lastModified:
      isKept(lastModified, HTTP_DATE) && isSettled(lastModified, headers) ? lastModified : null,
  }
}

function isSettled(lastModified: string, headers: Headers): boolean {
  const sentAt = parseDate(new Headers({ date: headers.get('date') ?? '' }))
  return sentAt !== null && sentAt - Date.parse(lastModified) / 1000 >= SETTLED_SECONDS
}

/** The headers that ask for an answer only where it is another than the one that is held. */
export function toConditions({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag !== null && ETAG.test(etag) ? { 'if-none-match': etag } : {}),
    ...(lastModified !== null && HTTP_DATE.test(lastModified)
      ? { 'if-modified-since': lastModified }
      : {}),
  }
}

/** Whether an answer without a body speaks of the version that is held; a 304 may name another one by mistake. */
export function isAbout(held: Validators, headers: Headers): boolean {
  const etag = headers.get('etag')
  return etag === null || held.etag === null || toWeak(etag) === toWeak(held.etag)
}

const toWeak = (etag: string) => etag.replace(/^W\//, '')

/** The validator that a range may be asked by: bytes of two versions must never meet. null where there is none. */
export function toStrong({ etag, lastModified }: Validators): string | null {
  if (etag !== null) return ETAG.test(etag) && etag.startsWith('"') ? etag : null
  return lastModified !== null && HTTP_DATE.test(lastModified) ? lastModified : null
}

/** The earliest and the latest that it may be now, in seconds since 1970, by the clocks that are known. */
export type Clocks = { earliest: number; latest: number }

/** What time it is where the service stands, as far as its answers tell. */
export type ServiceClock = {
  /** Takes the time out of an answer's headers. */
  note(headers: Headers): void
  /** How far the service's clock was ahead of ours when it last said its time, in seconds; null before that. */
  skewSeconds(): number | null
  clocks(): Clocks
}

export type ServiceClockDeps = {
  /** Seconds since 1970, by our clock, which may be set. */
  now: () => number
  /** Milliseconds by a clock that never jumps. */
  nowMs: () => number
  /** What was known before a restart. */
  skewSeconds?: number | null
}

/** Whole seconds on both sides, and the time that an answer is under way. */
const NOISE_SECONDS = 3
/** A clock that is off by more says nothing of the month: one that stands still would end all requests for ever. */
const BELIEVED_SECONDS = 31 * 86_400

/** Goes on by the clock that never jumps, so that it does not follow ours where that is set. */
export function createServiceClock({ now, nowMs, ...deps }: ServiceClockDeps): ServiceClock {
  let skew = deps.skewSeconds ?? null
  let said = skew === null ? null : { at: now() + skew, ms: nowMs() }
  return {
    note(headers) {
      const at = parseDate(headers)
      if (at === null) return
      said = { at, ms: nowMs() }
      const fresh = at - now()
      if (skew === null || Math.abs(fresh - skew) > NOISE_SECONDS) skew = fresh
    },
    skewSeconds: () => skew,
    clocks() {
      const ours = now()
      const theirs = said === null ? ours : Math.floor(said.at + (nowMs() - said.ms) / 1000)
      const isBelieved = Math.abs(theirs - ours) <= BELIEVED_SECONDS
      const other = isBelieved ? theirs : ours
      return { earliest: Math.min(ours, other), latest: Math.max(ours, other) }
    },
  }
}

/** `Date`, and how long the answer has been kept since by somebody in between. */
export function parseDate(headers: Headers): number | null {
  const text = headers.get('date')?.trim() ?? ''
  const at = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) return null
  const age = headers.get('age')?.trim() ?? ''
  return at / 1000 + (/^\d{1,9}$/.test(age) ? Number(age) : 0)
}
