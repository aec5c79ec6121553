'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

/** What came with the page is fresh; what keeps it so may wait until the page is ready. */
const AFTER_MS = 1000

/** Keeps the state of archive and sync current on every page of the dashboard; shows nothing. */
export function LiveUpdates() {
  const client = useQueryClient()
  useEffect(() => {
    let end = () => {}
    let isOver = false
    const begin = () =>
      import('#lib/client/event-stream.ts').then(
        ({ keepLive }) => {
          if (!isOver) end = keepLive(client)
        },
        // Without it the status is asked for, as ever.
        () => undefined,
      )
    const timer = setTimeout(begin, AFTER_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
      end()
    }
  }, [client])
  return null
}
