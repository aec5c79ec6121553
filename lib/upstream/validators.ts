import type { EchoWatch } from './access.ts'
import { parseDate } from './service-clock.ts'
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
export function readValidators(headers: Headers, watchForKey: () => EchoWatch): Validators {
  const etag = headers.get('etag')
  const lastModified = headers.get('last-modified')
  const isKept = (text: string | null, form: RegExp): text is string =>
    text !== null && form.test(text) && !watchForKey()(Buffer.from(text))
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
