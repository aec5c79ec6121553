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

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

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
