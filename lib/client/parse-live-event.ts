import { type LiveEvent, type LiveEventName, liveEvent } from '#lib/contract/answers/live.ts'

/** An event of `/api/events` by its name, or null where what came is none. */
export function parseLiveEvent(name: LiveEventName, text: unknown): LiveEvent | null {
  if (typeof text !== 'string') return null
  try {
    return liveEvent.safeParse({ name, data: JSON.parse(text) }).data ?? null
  } catch {
    return null
  }
}
