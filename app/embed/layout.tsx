import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { EmbedOf } from '#components/embed/embed-of.tsx'
import { loadIsInvented } from '../status.ts'

export const metadata: Metadata = { robots: { index: false } }

/** Framed by other sites: must contain no action, because of clickjacking. */
export default async function EmbedLayout({ children }: { children: ReactNode }) {
  return (
    <main className="flex min-w-0 grow flex-col bg-surface" id="main">
      <EmbedOf invented={await loadIsInvented()}>{children}</EmbedOf>
    </main>
  )
}
