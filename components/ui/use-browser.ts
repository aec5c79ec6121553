'use client'

import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'

const TICK_MS = 15_000

/**
 * Seconds since 1970 by the server's clock. The first render returns `serverNow` for hydration.
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

/** False on the server and during hydration. */
export const useInBrowser = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )

/** Cached: slow to read. */
let localZone: string | undefined

export const readLocalZone = (): string =>
  (localZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone)

/** Null on the server, and until wanted. */
export const useLocalZone = (isWanted = true): string | null =>
  useSyncExternalStore(
    never,
    () => (isWanted ? readLocalZone() : (localZone ?? null)),
    () => null,
  )

const paper = { isPrinted: false }

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

export const useVisible = (): boolean =>
  useSyncExternalStore(
    subscribeToVisibility,
    () => document.visibilityState === 'visible',
    () => false,
  )

/** Escape cancels a drag before any other handler sees the key. */
export function useEscape(isDragging: boolean, onEscape: () => void): void {
  const cancel = useEffectEvent(onEscape)
  useEffect(() => {
    if (!isDragging) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      cancel()
    }
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [isDragging])
}
