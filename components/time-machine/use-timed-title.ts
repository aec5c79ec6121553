'use client'

import { useEffect } from 'react'
import { useOutlook } from '#components/time/zone.tsx'
import { toTimedTitle } from './asof-text.ts'

/** Keeps the tab's title with the page where it is rewound in place; the server wrote the first one in the same words. */
export function useTimedTitle(title: string): void {
  const outlook = useOutlook()
  const timed = `${toTimedTitle(title, outlook)} · Bellwether`
  useEffect(() => {
    document.title = timed
  }, [timed])
}
