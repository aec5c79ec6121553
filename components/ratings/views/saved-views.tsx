'use client'

import dynamic from 'next/dynamic'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { Button, isPlainClick } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { TextField } from '#components/ui/fields.tsx'
import { writeHere } from '#components/ui/here.ts'
import { LiveRegion } from '#components/ui/messages.tsx'
import { StarButton } from '#components/watch/star-button.tsx'
import { withBase } from '#lib/contract/base-path.ts'
import { type RatingsView, readRatingsView } from '#lib/contract/ratings-view.ts'
import {
  createViewId,
  findByName,
  NAME_MAX_LENGTH,
  readName,
  type SavedView,
  toViewHref,
  VIEWS_MAX,
  withView,
} from './saved-view.ts'
import { toViewWords, useViews, type Views } from './use-views.ts'
import { StorageNotice } from './view-controls.tsx'

const ManageViews = dynamic(() => import('./manage-views.tsx').then((m) => m.ManageViews), {
  ssr: false,
})

type ChangeView = (to: (view: RatingsView) => RatingsView) => void

export type SavedViewsProps = {
  view: RatingsView
  change: ChangeView
  toSuggestion: () => string
  isOpen: boolean
  onClose: () => void
  onLabel: (label: ViewsLabel) => void
}

export function SavedViews({ view, change, isOpen, ...rest }: SavedViewsProps) {
  const { onClose, onLabel, toSuggestion } = rest
  const views = useViews(view)
  const [isManaging, setManaging] = useState(false)
  const [said, say] = useState('')
  const open = createOpen(change, view.asof)
  const name = views.current?.name ?? null
  useEffect(() => onLabel(name === null ? null : { name, note: null }), [name, onLabel])
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
        <ManageViews
          views={views}
          toWords={toViewWords}
          onClose={() => setManaging(false)}
          say={say}
        >
          {/* Content outside a modal dialog is not announced. */}
          <LiveRegion message={said} />
        </ManageViews>
      )}
      <LiveRegion message={isManaging ? '' : said} />
    </>
  )
}

/** Keeps unreadable parameters, so that the page reports them. */
function createOpen(change: ChangeView, asof: number | null) {
  return (address: string) => {
    const { query, ignored } = readRatingsView(new URLSearchParams(address))
    if (ignored.length === 0) change(() => ({ ...query, asof: query.asof ?? asof }))
    else writeHere(toViewHref(address, asof), 'push')
  }
}

type ViewsPanelProps = {
  views: Views
  asof: number | null
  toSuggestion: () => string
  onOpen: (view: SavedView) => void
  onClose: () => void
  onManage: () => void
  say: (message: string) => void
}

const EVERYTHING: SavedView = { id: '', name: 'All ratings', address: '' }

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
  const { current } = views
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
  onOpen: () => void
}

function ViewLine({ view, href, isCurrent, onOpen }: ViewLineProps) {
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
      </a>
      {view.id !== EVERYTHING.id && (
        <StarButton of={{ kind: 'view', key: view.id, name: view.name }} />
      )}
    </li>
  )
}

const focusTrigger = (panel: HTMLElement | null) =>
  panel?.parentElement?.querySelector<HTMLElement>('[aria-haspopup]')?.focus()

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
  onSaved: (name: string) => void
}

function SaveView({ views, toSuggestion, onSaved }: SaveViewProps) {
  const [isNaming, setNaming] = useState(false)
  const { current, isExact } = views
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
  if (current && isExact) return <p className="text-sm text-ink-3">This view is saved.</p>
  return (
    <Button className="self-start" onClick={() => setNaming(true)}>
      Save this view…
    </Button>
  )
}

type NameFormProps = {
  views: Views
  suggestion: string
  onSaved: (name: string) => void
  onCancel: () => void
}

function NameForm({ views: { views, change, address }, suggestion, ...rest }: NameFormProps) {
  const { onSaved, onCancel } = rest
  const field = useRef<HTMLFormElement>(null)
  const [text, setText] = useState(() => [...suggestion].slice(0, NAME_MAX_LENGTH).join('').trim())
  const [problem, setProblem] = useState<string | null>(null)
  const [replaced, setReplaced] = useState<string | null>(null)
  useEffect(() => field.current?.querySelector('input')?.select(), [])
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    const read = readName(text)
    if (!read.ok) return setProblem(read.problem)
    const known = findByName(views, read.name)
    if (known && replaced === null) {
      setReplaced(known.name)
      return setProblem(`${known.name} exists already.`)
    }
    if (!known && views.length >= VIEWS_MAX) {
      return setProblem(`At most ${VIEWS_MAX} views can be saved.`)
    }
    change((all) => withView(all, { id: createViewId(), name: read.name, address }))
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
          setReplaced(null)
        }}
      />
      <div className="flex gap-2">
        <Button type="submit" variant="solid">
          {replaced === null ? 'Save view' : 'Replace view'}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

export type ViewsLabel = { name: string; note: string | null } | null
