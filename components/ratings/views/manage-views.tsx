'use client'

import {
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Button } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { TextField } from '#components/ui/fields.tsx'
import { Notice } from '#components/ui/messages.tsx'
import { ModalDialog } from '#components/ui/overlays.tsx'
import { saveFile } from '#components/ui/save-file.ts'
import { starStore } from '#components/watch/star-store.ts'
import { useStars } from '#components/watch/use-stars.ts'
import { ImportViews, useDropped } from './import-views.tsx'
import {
  readNewName,
  type SavedView,
  withFirst,
  withoutView,
  withPlace,
  withView,
} from './saved-view.ts'
import type { Views } from './use-views.ts'
import { ShareLink, StorageNotice } from './view-controls.tsx'
import { viewsStore } from './views-store.ts'
import { toFileText } from './views-text.ts'

type ManageViewsProps = {
  views: Views
  onClose: () => void
  say: (message: string) => void
  children: ReactNode
}

/** Everything that can be done with the saved views as a list. */
export function ManageViews({ views, onClose, say, children }: ManageViewsProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isImporting, setImporting] = useState(false)
  const dropped = useDropped(() => setImporting(true))
  const stars = useStars()?.stars.length ?? 0
  return (
    <ModalDialog
      ref={dialog}
      aria-labelledby="manage-views"
      onClose={onClose}
      {...dropped.handlers}
      className="m-auto max-h-[min(88dvh,760px)] w-[min(640px,calc(100vw-24px))] rounded-lg border border-line-2 bg-paper text-ink backdrop:bg-black/40"
    >
      <div className="flex max-h-[inherit] flex-col">
        <div className="flex items-center gap-2 border-b px-4 py-3">
          <h2 id="manage-views" className="grow text-lg">
            Saved views
          </h2>
          <Button variant="quiet" onClick={() => dialog.current?.close()}>
            Close
          </Button>
        </div>
        <div className="flex min-h-0 flex-col gap-3 overflow-y-auto p-4 [scrollbar-width:thin]">
          <StorageNotice problem={views.problem} />
          <ViewsList views={views} say={say} />
          {isImporting && (
            <ImportViews
              views={views}
              given={dropped.text}
              onDone={(message) => {
                dropped.forget()
                setImporting(false)
                say(message)
              }}
            />
          )}
        </div>
        <div className="flex flex-wrap items-center gap-2 border-t px-4 py-3">
          <Button disabled={isImporting} onClick={() => setImporting(true)}>
            Import…
          </Button>
          <Button disabled={views.views.length + stars === 0} onClick={exportViews}>
            Export as JSON
          </Button>
          <span className="text-sm text-ink-3">
            Kept in this browser only, as what you watch is. The file holds both.
          </span>
        </div>
      </div>
      {children}
    </ModalDialog>
  )
}

type Removed = { view: SavedView; place: number }

/** The views in their order. One that was removed can be brought back where it was. */
function ViewsList({
  views: { views, first, change },
  say,
}: Pick<ManageViewsProps, 'views' | 'say'>) {
  const [removed, setRemoved] = useState<Removed | null>(null)
  const [dragged, setDragged] = useState<string | null>(null)
  const undo = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    if (removed) undo.current?.focus()
  }, [removed])
  const move = (view: SavedView, place: number) => {
    change((all) => withPlace(all, view.id, place))
    say(`${view.name}: ${place + 1} of ${views.length}`)
  }
  const remove = (view: SavedView, place: number) => {
    change((all) => withoutView(all, view.id))
    setRemoved({ view, place })
  }
  const bringBack = ({ view, place }: Removed) => {
    change((all) => withPlace(withView(all, view), view.id, place))
    setRemoved(null)
    say(`${view.name} is back`)
    list.current?.focus()
  }
  return (
    <>
      {removed && (
        <Notice
          title={`Deleted ${removed.view.name}`}
          action={
            <Button ref={undo} onClick={() => bringBack(removed)}>
              Undo
            </Button>
          }
        />
      )}
      {views.length === 0 && (
        <p className="text-ink-3">
          No view is saved yet. Save what you look at under a name, or import a file of views.
        </p>
      )}
      <ol ref={list} tabIndex={-1} aria-label="Saved views" className="flex flex-col outline-none">
        {views.map((view, place) => (
          <ManagedView
            key={view.id}
            view={view}
            place={place}
            others={views}
            isFirst={view.id === first?.id}
            onFirst={(isFirst) => change((all) => withFirst(all, isFirst ? view.id : null))}
            onRename={(name) => change((all) => withView(all, { ...view, name }))}
            onMove={(to) => move(view, to)}
            onRemove={() => remove(view, place)}
            drag={{ id: dragged, start: setDragged }}
            onDropped={(id) => {
              const other = views.find((one) => one.id === id)
              if (other) move(other, place)
            }}
            say={say}
          />
        ))}
      </ol>
    </>
  )
}

type ManagedViewProps = {
  view: SavedView
  /** Where it stands in the list, from 0. */
  place: number
  others: readonly SavedView[]
  isFirst: boolean
  onFirst: (isFirst: boolean) => void
  onRename: (name: string) => void
  onMove: (place: number) => void
  onRemove: () => void
  /** The id of the view that is being dragged. */
  drag: { id: string | null; start: (id: string | null) => void }
  onDropped: (id: string) => void
  say: (message: string) => void
}

/** One view with everything that can be done with it. */
function ManagedView({ view, place, others, drag, ...rest }: ManagedViewProps) {
  const { isFirst, onFirst, onRename, onMove, onRemove, onDropped, say } = rest
  const keepFocus = useKeptFocus(place)
  const isDragged = drag.id === view.id
  const onDragOver = (event: DragEvent) => {
    if (drag.id !== null) event.preventDefault()
  }
  const onDrop = (event: DragEvent) => {
    if (drag.id === null) return
    event.preventDefault()
    if (!isDragged) onDropped(drag.id)
    drag.start(null)
  }
  return (
    <li
      onDragOver={onDragOver}
      onDrop={onDrop}
      className={classNames(
        'flex flex-wrap items-center gap-x-1.5 gap-y-1 border-b py-2 last:border-b-0',
        isDragged && 'opacity-50',
      )}
    >
      <span
        draggable
        aria-hidden
        title="Drag to another place"
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = 'move'
          event.dataTransfer.setData('text/plain', view.name)
          drag.start(view.id)
        }}
        onDragEnd={() => drag.start(null)}
        className="cursor-grab px-1 text-ink-3 select-none max-sm:hidden"
      >
        ⠿
      </span>
      <RenameField view={view} others={others} onRename={onRename} />
      <span className="flex flex-wrap items-center gap-0.5">
        <Step
          label={`Move ${view.name} up`}
          isEnd={place === 0}
          onStep={() => keepFocus(() => onMove(place - 1))}
        >
          ↑
        </Step>
        <Step
          label={`Move ${view.name} down`}
          isEnd={place === others.length - 1}
          onStep={() => keepFocus(() => onMove(place + 1))}
        >
          ↓
        </Step>
        <Button
          variant="quiet"
          size="small"
          aria-label={`Default: ${view.name}`}
          aria-pressed={isFirst}
          title="The page opens with this view where nothing else is asked"
          className="aria-pressed:bg-accent-bg aria-pressed:font-semibold aria-pressed:text-ink forced-colors:aria-pressed:outline-2"
          onClick={() => onFirst(!isFirst)}
        >
          Default
        </Button>
        <ShareLink address={view.address} what={`link to ${view.name}`} say={say}>
          Copy link
        </ShareLink>
        <Button variant="quiet" size="small" aria-label={`Delete ${view.name}`} onClick={onRemove}>
          Delete
        </Button>
      </span>
    </li>
  )
}

type StepProps = { label: string; isEnd: boolean; onStep: () => void; children: string }

/** At the end of the list the button stays where the focus is, and does nothing. */
const Step = ({ label, isEnd, onStep, children }: StepProps) => (
  <Button
    variant="quiet"
    size="small"
    aria-label={label}
    aria-disabled={isEnd}
    onClick={() => !isEnd && onStep()}
  >
    {children}
  </Button>
)

/** A row that moves takes its elements out of the page and in again, and they lose the focus by that. */
function useKeptFocus(place: number) {
  const held = useRef<HTMLElement | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is what tells that the row has moved
  useEffect(() => {
    held.current?.focus()
    held.current = null
  }, [place])
  const during = (move: () => void) => {
    const { activeElement } = document
    held.current = activeElement instanceof HTMLElement ? activeElement : null
    move()
  }
  return during
}

type RenameFieldProps = {
  view: SavedView
  others: readonly SavedView[]
  onRename: (name: string) => void
}

/** The name, to be written over: Enter or going on keeps it, Escape brings the old one back. */
function RenameField({ view, others, onRename }: RenameFieldProps) {
  const [draft, setDraft] = useState({ of: view.name, text: view.name })
  // Renamed elsewhere, or brought back: the draft was of another name.
  const text = draft.of === view.name ? draft.text : view.name
  const setText = (next: string) => setDraft({ of: view.name, text: next })
  const [problem, setProblem] = useState<string | null>(null)
  const commit = () => {
    if (text === view.name) return
    const read = readNewName(text, others, view.id)
    setProblem(read.ok ? null : read.problem)
    if (read.ok && read.name !== view.name) onRename(read.name)
    else if (read.ok) setText(view.name)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') commit()
    if (event.key !== 'Escape' || text === view.name) return
    // The first Escape is the field's, the next one the dialog's.
    event.preventDefault()
    event.stopPropagation()
    setText(view.name)
    setProblem(null)
  }
  return (
    <TextField
      label={`Name of ${view.name}`}
      labelHidden
      dir="auto"
      className="min-w-40 grow basis-48"
      value={text}
      problem={problem}
      hint={
        <span className="block truncate font-mono text-xs">{view.address || 'every rating'}</span>
      }
      onChange={({ target }) => {
        setText(target.value)
        setProblem(null)
      }}
      onBlur={commit}
      onKeyDown={onKeyDown}
    />
  )
}

/** Hands the saved views, and what is watched, to the browser as a file, named by the day (UTC). */
function exportViews(): void {
  const { saved } = viewsStore.load()
  const day = new Date().toISOString().slice(0, 10)
  const file = new Blob([toFileText(saved, starStore.load().saved)], { type: 'application/json' })
  saveFile(file, `bellwether-views-${day}.json`)
}
