import type { Validators } from '#lib/upstream/upstream.ts'

/** A time of change is in whole seconds: a page may change twice within one. */
const FIRM_SECONDS = 60

/**
 * Whether a page that names these again is the same page. A time of change says so only where it was long past when the
 * page was read, at `readAt` (seconds since 1970; null: what was read proved nothing).
 */
export function isFirm(validators: Validators | null, readAt: number | null): boolean {
  if (validators === null || readAt === null) return false
  if (validators.etag !== null) return true
  const changedAt = Date.parse(validators.lastModified ?? '') / 1000
  return Number.isFinite(changedAt) && readAt - changedAt >= FIRM_SECONDS
}
