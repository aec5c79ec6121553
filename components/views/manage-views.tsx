'use client'

import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { formatCounted } from '#components/format/numbers.ts'
import { Button, buttonClasses } from '#components/ui/button.tsx'
import { TextField } from '#components/ui/fields.tsx'
import { Notice } from '#components/ui/messages.tsx'
import { ModalDialog } from '#components/ui/overlays.tsx'
import { saveFile } from '#components/ui/save-file.ts'
import { useZone } from '#components/ui/time-zone.ts'
import { starStore } from '#components/watch/star-store.ts'
import { withStar } from '#components/watch/stars.ts'
import { useStars } from '#components/watch/use-stars.ts'
import {
  findByName,
  readName,
  type SavedView,
  type SavedViews,
  toFreeName,
  withoutView,
  withView,
} from './saved-view.ts'
import type { Views } from './use-views.ts'
import { StorageNotice } from './view-controls.tsx'
import { toViewWords } from './view-pages.ts'
import { addViews, TEXT_MAX_LENGTH, toFileText, viewsStore } from './views-store.ts'

type ManageViewsProps = {
  views: Views
  onClose: () => void
  say: (message: string) => void
  children: ReactNode
}

export function ManageViews({ views, onClose, say, children }: ManageViewsProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const stars = useStars()?.stars.length ?? 0
  const [imported, setImported] = useState<Imported | null>(null)
  return (
    <ModalDialog
      ref={dialog}
      aria-labelledby="manage-views"
      onClose={onClose}
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
          {imported && <ImportNotice imported={imported} />}
          <ViewsList views={views} say={say} />
        </div>
        <div className="flex flex-wrap items-center gap-2 border-t px-4 py-3">
          <ImportButton onText={(text) => setImported(importViews(text))} />
          <Button disabled={views.views.length + stars === 0} onClick={exportViews}>
            Export as JSON
          </Button>
          <span className="text-sm text-ink-3">
            Views and stars are kept in this browser only. The file contains both.
          </span>
        </div>
      </div>
      {children}
    </ModalDialog>
  )
}

function ViewsList({ views: { views, change }, say }: Pick<ManageViewsProps, 'views' | 'say'>) {
  const zone = useZone()
  const [deleted, setDeleted] = useState<{ view: SavedView; index: number } | null>(null)
  const undo = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (deleted) undo.current?.focus()
  }, [deleted])
  const restore = ({ view, index }: { view: SavedView; index: number }) => {
    change((all) => all.toSpliced(index, 0, { ...view, name: toFreeName(all, view.name) }))
    setDeleted(null)
    say(`${view.name} restored`)
    list.current?.focus()
  }
  return (
    <>
      {deleted && (
        <Notice
          title={`Deleted ${deleted.view.name}`}
          action={
            <Button ref={undo} onClick={() => restore(deleted)}>
              Undo<span className="sr-only"> deleting {deleted.view.name}</span>
            </Button>
          }
        />
      )}
      {views.length === 0 && <p className="text-ink-3">No saved views yet.</p>}
      <ul ref={list} tabIndex={-1} aria-label="Saved views" className="flex flex-col outline-none">
        {views.map((view, index) => (
          <li
            key={view.id}
            className="flex flex-wrap items-start gap-x-1.5 gap-y-1 border-b py-2 last:border-b-0"
          >
            <RenameField
              view={view}
              hint={toViewWords(view.address, zone)}
              isTaken={(name) => isTaken(views, { ...view, name })}
              onRename={(name) => {
                change((all) =>
                  isTaken(all, { ...view, name }) ? all : withView(all, { ...view, name }),
                )
                say(`${view.name} renamed to ${name}`)
              }}
            />
            <Button
              variant="quiet"
              aria-label={`Delete ${view.name}`}
              onClick={() => {
                change((all) => withoutView(all, view.id))
                setDeleted({ view, index })
              }}
            >
              Delete
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

const isTaken = (views: SavedViews, { id, name }: SavedView) =>
  (findByName(views, name)?.id ?? id) !== id

type RenameFieldProps = {
  view: SavedView
  hint: string
  isTaken: (name: string) => boolean
  onRename: (name: string) => void
}

function RenameField({ view, hint, isTaken, onRename }: RenameFieldProps) {
  const [draft, setDraft] = useState({ of: view.name, text: view.name })
  const text = draft.of === view.name ? draft.text : view.name
  const [problem, setProblem] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const edit = (next: string) => {
    setDraft({ of: view.name, text: next })
    setProblem(null)
  }
  const commit = () => {
    if (text === view.name) return
    const read = readName(text)
    if (!read.ok) setProblem(read.problem)
    else if (isTaken(read.name)) setProblem('Another view has this name.')
    else if (read.name === view.name) edit(view.name)
    else onRename(read.name)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') commit()
    if (event.key !== 'Escape' || text === view.name) return
    event.preventDefault()
    event.stopPropagation()
    edit(view.name)
  }
  return (
    <>
      <TextField
        ref={field}
        label={`Name of ${view.name}`}
        labelHidden
        dir="auto"
        className="min-w-40 grow basis-48"
        value={text}
        problem={problem}
        hint={<span className="block wrap-anywhere">{hint}</span>}
        onChange={({ target }) => edit(target.value)}
        onBlur={commit}
        onKeyDown={onKeyDown}
      />
      <Button
        variant="quiet"
        aria-label={`Rename ${view.name}`}
        onClick={() => {
          field.current?.focus()
          field.current?.select()
        }}
      >
        Rename
      </Button>
    </>
  )
}

type Imported =
  | { ok: true; addedCount: number; knownCount: number; starCount: number }
  | { ok: false; problem: string }

function importViews(text: string): Imported {
  const added = addViews(text, viewsStore.load().saved)
  if (!added.ok) return added
  viewsStore.change((all) => {
    const again = addViews(text, all)
    return again.ok && again.addedCount > 0 ? again.views : all
  })
  const before = starStore.load().saved.stars.length
  starStore.change((all) => added.watched.reduce(withStar, all))
  return { ...added, starCount: starStore.load().saved.stars.length - before }
}

function ImportNotice({ imported }: { imported: Imported }) {
  if (!imported.ok) {
    return (
      <Notice tone="failure" title="Nothing was imported">
        {imported.problem}
      </Notice>
    )
  }
  const { addedCount, knownCount, starCount } = imported
  const stars = starCount > 0 ? `, ${formatCounted(starCount, 'star')} added` : ''
  return (
    <Notice
      title={`${formatCounted(addedCount, 'view')} added, ${knownCount} already here${stars}`}
    />
  )
}

const ImportButton = ({ onText }: { onText: (text: string) => void }) => (
  <label
    className={buttonClasses(
      {},
      'relative has-focus-visible:outline-2 has-focus-visible:outline-accent',
    )}
  >
    Import a file
    <input
      type="file"
      accept=".json,application/json"
      className="sr-only"
      onChange={async ({ target }) => {
        const [file] = target.files ?? []
        if (file) onText(await readFileText(file))
        target.value = ''
      }}
    />
  </label>
)

/** Returns '' if unreadable. Reads no more than needed to reject a large file. */
async function readFileText(file: Blob): Promise<string> {
  try {
    return await file.slice(0, 4 * (TEXT_MAX_LENGTH + 1)).text()
  } catch {
    return ''
  }
}

function exportViews(): void {
  const day = new Date().toISOString().slice(0, 10)
  const text = toFileText(viewsStore.load().saved, starStore.load().saved)
  saveFile(new Blob([text], { type: 'application/json' }), `bellwether-views-${day}.json`)
}
