'use client'

import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { Button, isPlainClick } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { TextField } from '#components/ui/fields.tsx'
import { LiveRegion } from '#components/ui/messages.tsx'
import { StarButton } from '#components/watch/star-button.tsx'
import { withBase } from '#lib/contract/base-path.ts'
import {
  createViewId,
  findByName,
  NAME_MAX_LENGTH,
  readName,
  type SavedView,
  VIEWS_MAX,
  withView,
} from './saved-view.ts'
import { type ShownView, useViews, type Views } from './use-views.ts'
import { StorageNotice } from './view-controls.tsx'
import { findViewPage, isOfRatings, toViewAddress, toViewHref } from './view-pages.ts'

const ManageViews = dynamic(() => import('./manage-views.tsx').then((m) => m.ManageViews), {
  ssr: false,
})

export type SavedViewsProps = {
  shown: ShownView
  suggestion: string
  /** Opens a view of this page. */
  open?: (href: string) => void
  isOpen: boolean
  onClose: () => void
  onLabel: (label: ViewsLabel) => void
}

export function SavedViews({ shown, open, isOpen, ...rest }: SavedViewsProps) {
  const { onClose, onLabel, suggestion } = rest
  const router = useRouter()
  const views = useViews(shown)
  const [isManaging, setManaging] = useState(false)
  const [said, say] = useState('')
  const { asof } = shown.query
  const name = views.current?.name ?? null
  useEffect(() => onLabel(name === null ? null : { name, note: null }), [name, onLabel])
  return (
    <>
      {isOpen && (
        <ViewsPanel
          views={views}
          path={shown.path}
          suggestion={suggestion}
          asof={typeof asof === 'number' ? asof : null}
          onOpen={open ?? router.push}
          onClose={onClose}
          onManage={() => setManaging(true)}
          say={say}
        />
      )}
      {isManaging && (
        <ManageViews views={views} onClose={() => setManaging(false)} say={say}>
          {/* Content outside a modal dialog is not announced. */}
          <LiveRegion message={said} />
        </ManageViews>
      )}
      <LiveRegion message={isManaging ? '' : said} />
    </>
  )
}

type ViewsPanelProps = {
  views: Views
  path: string
  asof: number | null
  suggestion: string
  onOpen: (href: string) => void
  onClose: () => void
  onManage: () => void
  say: (message: string) => void
}

const EVERYTHING = ''

function ViewsPanel({ views, path, asof, suggestion, onClose, say, ...rest }: ViewsPanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  useClosing(panel, onClose)
  const { current } = views
  const page = findViewPage(path)
  const everything = { id: EVERYTHING, name: `All ${page.one}s`, address: toViewAddress(page, {}) }
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
      className="absolute right-0 z-40 mt-1 flex max-h-[min(70dvh,560px)] w-80 flex-col rounded-md border border-line-2 bg-surface max-sm:fixed max-sm:inset-x-4 max-sm:w-auto"
    >
      <ul className="min-h-0 overflow-y-auto p-1.5 [scrollbar-width:thin]">
        {[everything, ...views.own].map((view) => {
          const href = toViewHref(view.address, asof)
          return (
            <ViewLine
              key={view.id}
              view={view}
              href={href}
              isCurrent={view.id === EVERYTHING ? views.isEverything : view.id === current?.id}
              onOpen={leave(() => rest.onOpen(href))}
            />
          )
        })}
      </ul>
      <div className="flex flex-col gap-2.5 border-t p-3">
        <StorageNotice problem={views.problem} />
        <SaveView
          views={views}
          suggestion={suggestion}
          onSaved={(name) => {
            say(`View ${name} saved`)
            focusTrigger(panel.current)
          }}
        />
      </div>
      <div className="flex flex-wrap gap-1 border-t p-1.5">
        <Button variant="quiet" size="small" className="ml-auto" onClick={leave(rest.onManage)}>
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
      {view.id !== EVERYTHING && isOfRatings(view.address) && (
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
      // An open rating stays open.
      event.preventDefault()
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
  suggestion: string
  onSaved: (name: string) => void
}

function SaveView({ views, suggestion, onSaved }: SaveViewProps) {
  const [isNaming, setNaming] = useState(false)
  const { current, isExact } = views
  if (isNaming) {
    return (
      <NameForm
        views={views}
        suggestion={suggestion}
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

type NameFormProps = SaveViewProps & { onCancel: () => void }

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
