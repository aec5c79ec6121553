import type { KeyFinder } from './access.ts'
import type { Validators } from './upstream.ts'

export const NO_VALIDATORS: Validators = { etag: null, lastModified: null }

export const hasValidator = ({ etag, lastModified }: Validators): boolean =>
  etag !== null || lastModified !== null

const ETAG = /^(?:W\/)?"[\x21\x23-\x7e]{0,256}"$/
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/
const SETTLED_SECONDS = 60

/** A `Last-Modified` in whole seconds may match two versions before. `at`: seconds since 1970. */
export const isSettled = (lastModified: string, at: number): boolean =>
  at - Date.parse(lastModified) / 1000 >= SETTLED_SECONDS

export function readValidators(headers: Headers, key: KeyFinder): Validators {
  const etag = headers.get('etag')
  const lastModified = headers.get('last-modified')
  const sentAt = parseDate(new Headers({ date: headers.get('date') ?? '' }))
  const isKept = (text: string | null, form: RegExp): text is string =>
    text !== null && form.test(text) && !key.isIn(Buffer.from(text))
  return {
    etag: isKept(etag, ETAG) ? etag : null,
    lastModified:
      sentAt !== null && isKept(lastModified, HTTP_DATE) && isSettled(lastModified, sentAt)
        ? lastModified
        : null,
  }
}

export function toConditions({ etag, lastModified }: Validators): Record<string, string> {
  return {
    ...(etag !== null && ETAG.test(etag) ? { 'if-none-match': etag } : {}),
    ...(lastModified !== null && HTTP_DATE.test(lastModified)
      ? { 'if-modified-since': lastModified }
      : {}),
  }
}

/** A 304 may name a different version. */
export function isAbout(held: Validators, headers: Headers): boolean {
  const etag = headers.get('etag')
  return etag === null || held.etag === null || toWeak(etag) === toWeak(held.etag)
}

const toWeak = (etag: string) => etag.replace(/^W\//, '')

/** Null without a strong validator: ranges of two versions must not mix. */
export function toStrong({ etag, lastModified }: Validators): string | null {
  if (etag !== null) return ETAG.test(etag) && etag.startsWith('"') ? etag : null
  return lastModified !== null && HTTP_DATE.test(lastModified) ? lastModified : null
}

export type Clocks = { earliest: number; latest: number }

export type ServiceClock = {
  note(headers: Headers): void
  /** Null if unknown. */
  skewSeconds(): number | null
  clocks(): Clocks
}

type ServiceClockDeps = {
  /** Unix seconds; may be adjusted. */
  now: () => number
  /** Monotonic milliseconds. */
  nowMs: () => number
  skewSeconds?: number | null
}

const NOISE_SECONDS = 3
/** Ignored beyond this: a stopped clock would block requests forever. */
const BELIEVED_SECONDS = 31 * 86_400

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

/** `Date` plus `Age`. */
export function parseDate(headers: Headers): number | null {
  const text = headers.get('date')?.trim() ?? ''
  const at = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) return null
  const age = headers.get('age')?.trim() ?? ''
  return at / 1000 + (/^\d{1,9}$/.test(age) ? Number(age) : 0)
}
