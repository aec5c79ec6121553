import { randomBytes, scryptSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import { replaceFile } from './replace-file.ts'
import { RETRY_RULES } from './retry-rules.ts'

const count = z.int().check(z.nonnegative())

/** When it was written and how long it holds, in seconds since 1970 by the clock on the wall. */
const span = z.object({ from: count, until: count })
export type Span = z.infer<typeof span>

const gateState = z.object({
  /** The address that it is about: what another service said is of no interest. */
  service: z.string(),
  skew_seconds: z.nullable(z.int()),
  paused: z.nullable(span),
  refused: z.nullable(z.extend(span, { salt: z.string(), mark: z.string() })),
  breaker: z.nullable(
    z.extend(span, {
      failures: count,
      fault: z.enum(['upstream_unavailable', 'upstream_timeout']),
      reason: z.string().check(z.maxLength(200)),
    }),
  ),
})

/** What a gate must know after a restart. */
export type GateState = z.infer<typeof gateState>

/** The state in a file; null where there is none, or none that can be read: the service says it again. */
export async function loadGateState(file: string): Promise<GateState | null> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  })
  try {
    const parsed = gateState.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** Into a folder that is there. */
export async function saveGateState(file: string, state: GateState): Promise<void> {
  const handle = await replaceFile(file, `${JSON.stringify(state)}\n`)
  await handle.close()
}

/** Seconds that are left of a span at `now`. A clock that was set back since adds none to what there was. */
export function toSecondsLeft({ from, until }: Span, now: number): number {
  const left = Math.min(until - now, until - from, RETRY_RULES.longestSeconds)
  return Math.max(0, left)
}

/** Tells a key again without keeping it. Slow, so that a key that is easy to guess is not found by guessing. */
export function markKey(key: string, salt = randomBytes(16).toString('hex')) {
  return { salt, mark: scryptSync(key, salt, 32).toString('hex') }
}
