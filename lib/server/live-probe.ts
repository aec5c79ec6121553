import 'server-only'
import { setTimeout as sleepMs } from 'node:timers/promises'
import { sendNow } from '#lib/api/respond.ts'
import type { HealthAnswer } from '#lib/contract/answers/state.ts'
import { openHouse } from './house.ts'

/** Whoever asks whether the process lives is not kept waiting while an archive is brought to a new version. */
const PATIENCE_MS = 500

/**
 * `GET /api/health?probe=live` where the house is not open: that the process answers is the answer. null for any other
 * request, and where the house is open: then the API knows more.
 */
export async function answerProbe(request: Request): Promise<Response | null> {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname !== '/api/health' || searchParams.get('probe') !== 'live') return null
  const isOpen = await Promise.race([
    openHouse().then(
      () => true,
      () => false,
    ),
    sleepMs(PATIENCE_MS, false, { ref: false }),
  ])
  if (isOpen) return null
  const answer: HealthAnswer = {
    success: true,
    code: 200,
    data: { live: true, ready: false, degraded: true, alarms: [] },
  }
  return sendNow(answer)
}
