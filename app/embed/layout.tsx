import type { ReactNode } from 'react'

/**
 * What other sites show in a frame. No header, no navigation, no state of the sync: nothing in here acts, because
 * whoever frames it decides what a click falls on.
 */
export default function EmbedLayout({ children }: { children: ReactNode }) {
  return (
    <main className="flex min-w-0 grow flex-col bg-surface" id="main">
      {children}
    </main>
  )
}
