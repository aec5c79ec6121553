'use client'

import dynamic from 'next/dynamic'

/** Stands where no rating passes the filters. The server draws it; nobody else loads it. */
export const NoMatch = dynamic(async () => (await import('./no-match-list.tsx')).NoMatchList)
