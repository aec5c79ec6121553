import type { QueryClient } from '@tanstack/react-query'
import { applyLiveEvent } from './apply-live-event.ts'
import { createLiveSource } from './live-source.ts'
import { liveState } from './live-state.ts'
import { dumpsOptions, statusOptions } from './query-options.ts'

/**
 * Keeps what the page knows of archive and sync current by events, while the page is seen: a tab that nobody sees, and
 * one that the browser keeps for the way back, hold no connection. Gives what ends it.
 */
export function keepLive(client: QueryClient): () => void {
  const source = createLiveSource({
    open: () => new EventSource('/api/events'),
    onEvent: (event) => applyLiveEvent(client, event),
    onStanding: (isStanding) => {
      liveState.isStanding = isStanding
    },
    onLost: () => {
      // Whoever is to ask again from now on learns of it by asking.
      for (const { queryKey } of [statusOptions(), dumpsOptions()]) {
        void client.invalidateQueries({ queryKey })
      }
    },
    setTimer: (run, delayMs) => {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    },
    random: Math.random,
  })
  const follow = () => (document.hidden ? source.stop() : source.start())
  const leave = () => source.stop()
  document.addEventListener('visibilitychange', follow)
  window.addEventListener('pagehide', leave)
  window.addEventListener('pageshow', follow)
  follow()
  return () => {
    document.removeEventListener('visibilitychange', follow)
    window.removeEventListener('pagehide', leave)
    window.removeEventListener('pageshow', follow)
    source.stop()
  }
}
