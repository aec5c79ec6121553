import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { EmbedOf } from '#components/embed/embed-of.tsx'
import { loadIsInvented } from '../status.ts'

// The page that it is of is what a search finds.
export const metadata: Metadata = { robots: { index: false } }

/**
 * What other sites show in a frame. No header, no navigation, no state of the sync: nothing in here acts, because
 * whoever frames it decides what a click falls on. That its ratings are invented is said all the same.
 */
export default async function EmbedLayout({ children }: { children: ReactNode }) {
  return (
    <main className="flex min-w-0 grow flex-col bg-surface" id="main">
      <EmbedOf invented={await loadIsInvented()}>{children}</EmbedOf>
    </main>
  )
}
