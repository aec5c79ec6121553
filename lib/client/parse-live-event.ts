import { type LiveEvent, type LiveEventName, liveEvents } from '#lib/contract/answers/live.ts'

type Parsers = { [K in LiveEventName]: (body: unknown) => LiveEvent | null }

const PARSERS: Parsers = {
  status: (body) => {
    const { success, data } = liveEvents.status.safeParse(body)
    return success ? { name: 'status', data } : null
  },
  progress: (body) => {
    const { success, data } = liveEvents.progress.safeParse(body)
    return success ? { name: 'progress', data } : null
  },
  commit: (body) => {
    const { success, data } = liveEvents.commit.safeParse(body)
    return success ? { name: 'commit', data } : null
  },
  event: (body) => {
    const { success, data } = liveEvents.event.safeParse(body)
    return success ? { name: 'event', data } : null
  },
  beat: (body) => {
    const { success, data } = liveEvents.beat.safeParse(body)
    return success ? { name: 'beat', data } : null
  },
}

/** An event of `/api/events` by its name, or null where what came is none. */
export function parseLiveEvent(name: LiveEventName, text: unknown): LiveEvent | null {
  if (typeof text !== 'string') return null
  try {
    return PARSERS[name](JSON.parse(text))
  } catch {
    return null
  }
}
