import { isGzipped, parseContentLength } from './read-body.ts'
import type { DumpOptions, Validators } from './upstream.ts'
import { toStrong } from './validators.ts'

/** What is held of a dump that broke off. */
export type Part = NonNullable<DumpOptions['part']>

const CONTENT_RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/

/** The headers that ask for what is behind a part, unencoded; null where nothing tells the dump apart for certain. */
export function toRange(part: Part | undefined): Record<string, string> | null {
  const strong = part ? toStrong(part) : null
  if (!part || strong === null || !Number.isSafeInteger(part.bytes) || part.bytes < 1) return null
  return { range: `bytes=${part.bytes}-`, 'if-range': strong, 'accept-encoding': 'identity' }
}

/** Where a rest begins in its whole, and how large that is. */
export type Rest = { from: number; totalBytes: number }

/**
 * Reads of a 206 that its body is all that is behind a part, byte for byte and of the same dump; null where it is
 * anything else, or does not say.
 */
export function parseRest({ headers }: Response, part: Part): Rest | null {
  const [, from, to, total] = CONTENT_RANGE.exec(headers.get('content-range')?.trim() ?? '') ?? []
  const totalBytes = Number(total)
  const isAllBehind = Number(from) === part.bytes && Number(to) === totalBytes - 1
  if (!isAllBehind || !isSame(headers, part) || isEncoded(headers)) return null
  const length = parseContentLength(headers)
  if (length !== null && length !== totalBytes - part.bytes) return null
  return { from: part.bytes, totalBytes }
}

/** By the validator that was asked with: a service that looks at no `If-Range` would send the rest of another dump. */
function isSame(headers: Headers, part: Validators): boolean {
  const said = part.etag === null ? headers.get('last-modified') : headers.get('etag')
  return said !== null && said === toStrong(part)
}

function isEncoded(headers: Headers): boolean {
  try {
    return (
      isGzipped(headers) || /^\s*(?:multipart|text\/html)/i.test(headers.get('content-type') ?? '')
    )
  } catch {
    return true
  }
}
