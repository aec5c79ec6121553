'use client'

import { useEffect, useRef } from 'react'
import { Button, isPlainClick } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { SaveView } from './save-view.tsx'
import type { SavedView } from './saved-view.ts'
import { ShareLink } from './share-link.tsx'
import { StorageNotice } from './storage-notice.tsx'
import type { Views } from './use-views.ts'
import { toViewHref } from './view-address.ts'

type ViewsPanelProps = {
  views: Views
  /** Where the reader stands, in seconds since 1970: a view that names no instant is shown there. */
  asof: number | null
  toSuggestion: () => string
  onOpen: (view: SavedView) => void
  onClose: () => void
  onManage: () => void
  say: (message: string) => void
}

const EVERYTHING: SavedView = { id: '', name: 'All ratings', address: '' }

/** The list to choose from, and what can be done with what is shown. */
export function ViewsPanel({
  views,
  asof,
  toSuggestion,
  onOpen,
  onClose,
  onManage,
  say,
}: ViewsPanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  useClosing(panel, onClose)
  const { address, current, first } = views
  const leave = (then: () => void) => () => {
    focusTrigger(panel.current)
    onClose()
    then()
  }
  return (
    <div
      ref={panel}
      role="dialog"
      aria-label="Saved views"
      className="absolute right-0 z-30 mt-1 flex max-h-[min(70dvh,560px)] w-80 flex-col rounded-md border border-line-2 bg-surface max-sm:fixed max-sm:inset-x-4 max-sm:w-auto"
    >
      <ul className="min-h-0 overflow-y-auto p-1.5 [scrollbar-width:thin]">
        {[EVERYTHING, ...views.views].map((view) => (
          <ViewLine
            key={view.id}
            view={view}
            href={toViewHref(view.address, asof)}
            isCurrent={view.id === '' ? views.isEverything : view.id === current?.id}
            isFirst={view.id === first?.id}
            onOpen={leave(() => onOpen(view))}
          />
        ))}
      </ul>
      <div className="flex flex-col gap-2.5 border-t p-3">
        <StorageNotice problem={views.problem} />
        <SaveView
          views={views}
          toSuggestion={toSuggestion}
          onSaved={(name) => {
            say(`View ${name} saved`)
            focusTrigger(panel.current)
          }}
        />
      </div>
      <div className="flex flex-wrap gap-1 border-t p-1.5">
        <ShareLink address={address} what="link to this view" say={say}>
          Copy link
        </ShareLink>
        <Button variant="quiet" size="small" className="ml-auto" onClick={leave(onManage)}>
          Manage, import, export…
        </Button>
      </div>
    </div>
  )
}

type ViewLineProps = {
  view: SavedView
  href: string
  isCurrent: boolean
  isFirst: boolean
  onOpen: () => void
}

function ViewLine({ view, href, isCurrent, isFirst, onOpen }: ViewLineProps) {
  return (
    <li>
      <a
        href={href}
        aria-current={isCurrent ? 'true' : undefined}
        className={classNames(
          'flex min-h-[31px] items-center gap-2 rounded-md px-2 hover:bg-sunk focus-visible:outline-offset-[-2px]',
          isCurrent && 'bg-accent-bg font-semibold',
        )}
        onClick={(event) => {
          if (!isPlainClick(event)) return
          event.preventDefault()
          onOpen()
        }}
      >
        <span aria-hidden className="w-3 shrink-0 text-accent">
          {isCurrent && '✓'}
        </span>
        <span className="min-w-0 grow truncate" dir="auto" title={view.name}>
          {view.name}
        </span>
        {isFirst && <span className="shrink-0 text-sm font-normal text-ink-3">default</span>}
      </a>
    </li>
  )
}

/** The button that opened the panel stands beside it. */
const focusTrigger = (panel: HTMLElement | null) =>
  panel?.parentElement?.querySelector<HTMLElement>('[aria-haspopup]')?.focus()

/** Escape, a click beside it and the focus going elsewhere close the panel. */
function useClosing(panel: { readonly current: HTMLElement | null }, onClose: () => void) {
  useEffect(() => {
    const frame = panel.current?.parentElement
    const isOutside = (target: EventTarget | null) =>
      target instanceof Node && !frame?.contains(target)
    const onOutside = ({ target }: Event) => {
      if (isOutside(target)) onClose()
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      focusTrigger(panel.current)
      onClose()
    }
    document.addEventListener('pointerdown', onOutside)
    document.addEventListener('focusin', onOutside)
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('pointerdown', onOutside)
      document.removeEventListener('focusin', onOutside)
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [panel, onClose])
}
