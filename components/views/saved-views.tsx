'use client'

import dynamic from 'next/dynamic'
import { useState } from 'react'
import { LiveRegion } from '#components/ui/messages.tsx'
import { type RatingsView, readRatingsView } from '#lib/contract/ratings-view.ts'
import { useFirstView } from './use-first-view.ts'
import { useViews } from './use-views.ts'
import { useViewsLabel, type ViewsLabel } from './use-views-label.ts'
import { toViewHref } from './view-address.ts'
import { ViewsPanel } from './views-panel.tsx'

const ManageViews = dynamic(() => import('./manage-views.tsx').then((m) => m.ManageViews), {
  ssr: false,
})

type ChangeView = (to: (view: RatingsView) => RatingsView, how?: 'push' | 'replace') => void

export type SavedViewsProps = {
  /** What the page shows. */
  view: RatingsView
  change: ChangeView
  /** A name for what is shown. */
  toSuggestion: () => string
  isOpen: boolean
  onClose: () => void
  onLabel: (label: ViewsLabel) => void
}

/** The saved views behind their button: loaded when they are first needed. */
export function SavedViews({ view, change, isOpen, ...rest }: SavedViewsProps) {
  const { onClose, onLabel, toSuggestion } = rest
  const views = useViews(view)
  const [isManaging, setManaging] = useState(false)
  const [said, say] = useState('')
  const open = createOpen(change, view.asof)
  useFirstView(view, (address) => open(address, 'replace'))
  useViewsLabel(views.current, views.origin, onLabel)
  return (
    <>
      {isOpen && (
        <ViewsPanel
          views={views}
          toSuggestion={toSuggestion}
          asof={view.asof}
          onOpen={({ address }) => open(address)}
          onClose={onClose}
          onManage={() => setManaging(true)}
          say={say}
        />
      )}
      {isManaging && (
        <ManageViews views={views} onClose={() => setManaging(false)} say={say}>
          {/* What stands beside a modal dialog is not read. */}
          <LiveRegion message={said} />
        </ManageViews>
      )}
      <LiveRegion message={isManaging ? '' : said} />
    </>
  )
}

/** Shows a kept address. What of it cannot be read stays in the address, so that the page says it. */
function createOpen(change: ChangeView, asof: number | null) {
  return (address: string, how: 'push' | 'replace' = 'push') => {
    const { query, ignored } = readRatingsView(new URLSearchParams(address))
    const href = toViewHref(address, asof)
    if (ignored.length === 0) change(() => ({ ...query, asof: query.asof ?? asof }), how)
    else if (how === 'push') window.history.pushState(null, '', href)
    else window.history.replaceState(null, '', href)
  }
}
