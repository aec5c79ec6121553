'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'

const TICK_MS = 15_000

/**
 * Now, in seconds since 1970, by the server's clock: what an answer said it was, plus what has passed here since.
 * The first rendering shows `serverNow` on both sides, and the reader's own clock, which may be wrong, never counts.
 */
export function useNow(serverNow: number): number {
  const [elapsed, setElapsed] = useState({ since: serverNow, seconds: 0 })
  useEffect(() => {
    const startedMs = performance.now()
    const tick = () => {
      const seconds = Math.floor((performance.now() - startedMs) / 1000)
      setElapsed({ since: serverNow, seconds })
    }
    const timer = setInterval(tick, TICK_MS)
    return () => clearInterval(timer)
  }, [serverNow])
  return serverNow + (elapsed.since === serverNow ? elapsed.seconds : 0)
}

const never = () => () => undefined

/** Whether the browser draws this by itself: false on the server, and where its document is taken over. */
export const useInBrowser = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

/** Asked at every drawing, and slow to say. */
let localZone: string | undefined

/** The reader's time zone, `Europe/Berlin`; null on the server, which cannot know it. */
export const useLocalZone = (): string | null =>
  useSyncExternalStore(
    never,
    () => {
      localZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone
      return localZone
    },
    () => null,
  )

/** Where this page was loaded from, `http://127.0.0.1:3000`; on the server, what is given. */
export const useOrigin = (serverOrigin: string): string =>
  useSyncExternalStore(
    never,
    () => window.location.origin,
    () => serverOrigin,
  )

/** Of the one page of a browser. */
const paper = { isPrinted: false }

/** Browsers tell before they print; whoever looks at a page as paper tells by its media alone. */
function subscribe(onChange: () => void): () => void {
  const media = window.matchMedia('print')
  const tell = (isPrinted: boolean) => {
    paper.isPrinted = isPrinted
    onChange()
  }
  const begin = () => tell(true)
  const end = () => tell(false)
  const turn = () => tell(media.matches)
  window.addEventListener('beforeprint', begin)
  window.addEventListener('afterprint', end)
  media.addEventListener('change', turn)
  return () => {
    window.removeEventListener('beforeprint', begin)
    window.removeEventListener('afterprint', end)
    media.removeEventListener('change', turn)
  }
}

/** Whether the page is being printed. What is drawn otherwise then is drawn before the paper is laid out. */
export const usePrinting = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => paper.isPrinted,
    () => false,
  )

const subscribeToVisibility = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** Whether anybody can see the page. */
export const useVisible = (): boolean =>
  useSyncExternalStore(
    subscribeToVisibility,
    () => document.visibilityState === 'visible',
    () => false,
  )
