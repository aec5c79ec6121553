'use client'

import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import type { SavedView } from '#components/store/stored-state.ts'
import { Button, buttonClasses, isPlainClick } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { TextField } from '#components/ui/fields.tsx'
import { DownIcon } from '#components/ui/icons.tsx'
import { LiveRegion } from '#components/ui/messages.tsx'
import { Popover } from '#components/ui/popover.tsx'
import { useSearchAction } from '#components/ui/search-actions.ts'
import { withBase } from '#lib/contract/base-path.ts'
import {
  createViewId,
  findByName,
  NAME_MAX_LENGTH,
  readName,
  VIEWS_MAX,
  withView,
} from './saved-view.ts'
import { StarButton } from './star-button.tsx'
import { StorageNotice } from './storage-notice.tsx'
import { type ShownView, updateViews, useViews, type Views } from './use-views.ts'
import { findViewPage, isOfRatings, toViewAddress, toViewHref } from './view-pages.ts'

const ManageViews = dynamic(() => import('./manage-views.tsx').then((m) => m.ManageViews), {
  ssr: false,
})

type ViewsMenuProps = {
  shown: ShownView
  suggestion: string
  /** Opens a view of this page. */
  open?: (href: string) => void
}

export function ViewsMenu({ shown, suggestion, open }: ViewsMenuProps) {
  const router = useRouter()
  const openView = open ?? router.push
  const views = useViews(shown)
  const [isOpen, setOpen] = useState(false)
  const [isManaging, setManaging] = useState(false)
  const [said, say] = useState('')
  useSearchAction({
    name: 'Save or share this view',
    detail: 'in the menu Views',
    run: () => setOpen(true),
  })
  const trigger = useRef<HTMLButtonElement>(null)
  const { asof } = shown.query
  const name = views.current?.name
  const leave = (then: () => void) => {
    setOpen(false)
    then()
  }
  return (
    <div className="max-sm:min-w-22 max-sm:flex-[1_1_8.5rem]">
      <Popover
        label="Saved views"
        open={isOpen}
        onOpenChange={setOpen}
        className="flex max-h-[min(var(--available-height),560px)] w-80 flex-col"
        trigger={
          <button
            ref={trigger}
            type="button"
            title={name}
            className={buttonClasses({}, 'w-40 min-w-22 max-sm:w-full md:max-lg:w-28')}
          >
            {name !== undefined && <span className="sr-only">Views: </span>}
            <ButtonName name={name ?? 'Views'} />
            <DownIcon />
          </button>
        }
      >
        <ViewsList
          views={views}
          path={shown.path}
          asof={typeof asof === 'number' ? asof : null}
          onOpen={(href) => leave(() => openView(href))}
        />
        <div className="flex flex-col gap-2.5 border-t p-3">
          <StorageNotice />
          <SaveView
            views={views}
            suggestion={suggestion}
            onSaved={(saved) => {
              say(`View ${saved} saved`)
              trigger.current?.focus()
            }}
          />
        </div>
        <div className="flex flex-wrap gap-1 border-t p-1.5">
          <Button
            variant="quiet"
            size="small"
            className="ml-auto"
            onClick={() => leave(() => setManaging(true))}
          >
            Manage, import, export…
          </Button>
        </div>
      </Popover>
      {isManaging && (
        <ManageViews
          views={views.views}
          onClose={() => setManaging(false)}
          returnFocus={trigger}
          say={say}
        >
          {/* Content outside a modal dialog is not announced. */}
          <LiveRegion message={said} />
        </ManageViews>
      )}
      <LiveRegion message={isManaging ? '' : said} />
    </div>
  )
}

const LINE = 12

const ButtonName = ({ name }: { name: string }) => (
  <span
    className={
      name.length > LINE
        ? 'line-clamp-2 min-w-0 grow text-left text-xs/[1.2] whitespace-normal wrap-anywhere'
        : 'grow truncate text-left'
    }
    dir="auto"
  >
    {name}
  </span>
)

const EVERYTHING = ''

type ViewsListProps = {
  views: Views
  path: string
  asof: number | null
  onOpen: (href: string) => void
}

function ViewsList({ views: { own, current, isEverything }, path, asof, onOpen }: ViewsListProps) {
  const page = findViewPage(path)
  const everything = { id: EVERYTHING, name: `All ${page.one}s`, address: toViewAddress(page, {}) }
  return (
    <ul className="min-h-0 overflow-y-auto p-1.5 [scrollbar-width:thin]">
      {[everything, ...own].map((view) => {
        const href = toViewHref(view.address, asof)
        return (
          <ViewLine
            key={view.id}
            view={view}
            href={href}
            isCurrent={view.id === EVERYTHING ? isEverything : view.id === current?.id}
            onOpen={() => onOpen(href)}
          />
        )
      })}
    </ul>
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

function NameForm({ views: { views, address }, suggestion, ...rest }: NameFormProps) {
  const { onSaved, onCancel } = rest
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(() => [...suggestion].slice(0, NAME_MAX_LENGTH).join('').trim())
  const [problem, setProblem] = useState<string | null>(null)
  const [replaced, setReplaced] = useState<string | null>(null)
  useEffect(() => field.current?.select(), [])
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
    updateViews((all) => withView(all, { id: createViewId(), name: read.name, address }))
    onSaved(read.name)
  }
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-2">
      <TextField
        ref={field}
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
