'use client'

import dynamic from 'next/dynamic'
import { type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button, isPlainClick } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { TextField } from '#components/ui/fields.tsx'
import { readHere, writeHere } from '#components/ui/here.ts'
import { LiveRegion } from '#components/ui/messages.tsx'
import { StarButton } from '#components/watch/star-button.tsx'
import { withBase, withoutBase } from '#lib/contract/base-path.ts'
import { type RatingsView, readRatingsView } from '#lib/contract/ratings-view.ts'
import {
  NAME_MAX_LENGTH,
  readNewName,
  type SavedView,
  selectFirst,
  toFreeName,
  toViewHref,
  VIEWS_MAX,
  withView,
} from './saved-view.ts'
import { useViews, type Views } from './use-views.ts'
import { ShareLink, StorageNotice } from './view-controls.tsx'
import { viewsStore } from './views-store.ts'

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
    else writeHere(href, how)
  }
}

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
function ViewsPanel({
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
    <li className="flex items-center gap-1">
      <a
        href={withBase(href)}
        aria-current={isCurrent ? 'true' : undefined}
        className={classNames(
          'flex min-h-[31px] min-w-0 grow items-center gap-2 rounded-md px-2 hover:bg-sunk focus-visible:outline-offset-[-2px]',
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
        <span className="min-w-0 grow py-1 wrap-anywhere" dir="auto">
          {view.name}
        </span>
        {isFirst && <span className="shrink-0 text-sm font-normal text-ink-3">default</span>}
      </a>
      {view.id !== EVERYTHING.id && (
        <StarButton of={{ kind: 'view', key: view.id, name: view.name }} />
      )}
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

type SaveViewProps = {
  views: Views
  toSuggestion: () => string
  /** Called with the name under which it was saved. */
  onSaved: (name: string) => void
}

/** Saves what is shown: under a new name, or in place of the view that it began as. */
function SaveView({ views, toSuggestion, onSaved }: SaveViewProps) {
  const [isNaming, setNaming] = useState(false)
  const { address, change, current, isExact, origin } = views
  if (isNaming) {
    return (
      <NameForm
        views={views}
        suggestion={toSuggestion()}
        onSaved={(name) => {
          setNaming(false)
          onSaved(name)
        }}
        onCancel={() => setNaming(false)}
      />
    )
  }
  if (current && isExact) return <p className="text-sm text-ink-3">Shown just as it was saved.</p>
  if (views.views.length >= VIEWS_MAX && !origin) {
    return <p className="text-sm text-ink-3">There is room for {VIEWS_MAX} views in all.</p>
  }
  return (
    <div className="flex flex-wrap gap-2">
      {origin && (
        <Button
          className="h-auto min-h-[31px] min-w-0 max-w-full py-1 text-left whitespace-normal"
          onClick={() => {
            change((all) => withView(all, { ...origin, address }))
            onSaved(origin.name)
          }}
        >
          <span className="min-w-0 wrap-anywhere">Save changes to {origin.name}</span>
        </Button>
      )}
      <Button onClick={() => setNaming(true)}>{origin ? 'Save as new…' : 'Save this view…'}</Button>
    </div>
  )
}

type NameFormProps = {
  views: Views
  suggestion: string
  onSaved: (name: string) => void
  onCancel: () => void
}

function NameForm({ views, suggestion, onSaved, onCancel }: NameFormProps) {
  const field = useRef<HTMLFormElement>(null)
  const [text, setText] = useState(() =>
    toFreeName([...suggestion].slice(0, NAME_MAX_LENGTH).join('').trim(), views.views),
  )
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => field.current?.querySelector('input')?.select(), [])
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    const read = readNewName(text, views.views)
    if (!read.ok) {
      setProblem(read.problem)
      return
    }
    views.change((all) => withView(all, { ...read, id: createViewId(), address: views.address }))
    onSaved(read.name)
  }
  return (
    <form ref={field} onSubmit={onSubmit} className="flex flex-col gap-2">
      <TextField
        label="Name of this view"
        value={text}
        problem={problem}
        onChange={({ target }) => {
          setText(target.value)
          setProblem(null)
        }}
      />
      <div className="flex gap-2">
        <Button type="submit" variant="solid">
          Save view
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

/** Stands in the history's entry of an address that nothing is asked by, once it was shown as it is. */
const SHOWN = 'bellwetherShown'

let hasDecided = false

/**
 * Opens the page with the reader's default view where somebody comes to it and asks for nothing. Who loads it again,
 * comes back to it or has cleared everything sees what the address says: every rating. `open` shows an address in
 * place of the one that stands there.
 */
function useFirstView(view: RatingsView, open: (address: string) => void) {
  const arrive = useEffectEvent(() => {
    const first = selectFirst(viewsStore.load().saved)
    if (isBare() && isArrival() && first && first.address !== '') open(first.address)
    hasDecided = true
  })
  useEffect(() => arrive(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view is another entry
  useEffect(() => {
    const { state } = window.history
    if (!isBare() || state?.[SHOWN]) return
    // With the framework's own entries in it this passes by its router: the address stays what it is.
    window.history.replaceState({ ...state, [SHOWN]: true }, '')
  }, [view])
}

const isBare = () => {
  const { pathname, search } = readHere()
  return pathname === '/' && search === ''
}

/** Is this a new entry of the history? Only the first look can come from loading a document again. */
function isArrival(): boolean {
  if (window.history.state?.[SHOWN]) return false
  if (hasDecided) return true
  const [navigation] = performance.getEntriesByType('navigation')
  if (!(navigation instanceof PerformanceNavigationTiming)) return true
  const isThisPage = withoutBase(new URL(navigation.name).pathname) === '/'
  return !isThisPage || navigation.type === 'navigate'
}

/** What the button says: the name of a view, and what else is to be said of it; null where no view is shown. */
export type ViewsLabel = { name: string; note: string | null } | null

/** Tells the button, which knows nothing of views, what it says. */
function useViewsLabel(
  current: SavedView | null,
  origin: SavedView | null,
  onLabel: (label: ViewsLabel) => void,
) {
  const name = (current ?? origin)?.name ?? null
  const note = current ? null : 'changed'
  useEffect(() => {
    onLabel(name === null ? null : { name, note })
  }, [name, note, onLabel])
}

const BYTES = 8

/** A new id. Without HTTPS a browser has no `randomUUID`, and a dashboard in a local network is reached so. */
function createViewId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
