'use client'

import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { formatCounted } from '#components/format/numbers.ts'
import { updateStored, useStored } from '#components/store/store.ts'
import type { SavedView } from '#components/store/stored-state.ts'
import { Button, buttonClasses } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { TextField } from '#components/ui/fields.tsx'
import { Notice } from '#components/ui/messages.tsx'
import { saveFile } from '#components/ui/save-file.ts'
import { useZone } from '#components/ui/time-zone.ts'
import {
  findByName,
  readName,
  type SavedViews,
  toFreeName,
  withoutView,
  withView,
} from './saved-view.ts'
import { useHasStars } from './stars.ts'
import { StorageNotice } from './storage-notice.tsx'
import { updateViews } from './use-views.ts'
import { toViewWords } from './view-pages.ts'
import { addFromFile, TEXT_MAX_LENGTH, toFileText } from './views-file.ts'

type ManageViewsProps = {
  views: SavedViews
  onClose: () => void
  returnFocus: RefObject<HTMLElement | null>
  say: (message: string) => void
  children: ReactNode
}

export function ManageViews({ views, onClose, returnFocus, say, children }: ManageViewsProps) {
  const hasStars = useHasStars()
  const [imported, setImported] = useState<Imported | null>(null)
  return (
    <Dialog title="Saved views" onClose={onClose} finalFocus={returnFocus}>
      <div className="flex min-h-0 flex-col gap-3 overflow-y-auto p-4 [scrollbar-width:thin]">
        <StorageNotice />
        {imported && <ImportNotice imported={imported} />}
        <ViewsList views={views} say={say} />
      </div>
      <div className="flex flex-wrap items-center gap-2 border-t px-4 py-3">
        <ImportButton onText={(text) => setImported(importFile(text))} />
        <Button disabled={views.length === 0 && !hasStars} onClick={exportFile}>
          Export as JSON
        </Button>
        <span className="text-sm text-ink-3">
          Views and stars are kept in this browser only. The file contains both.
        </span>
      </div>
      {children}
    </Dialog>
  )
}

function ViewsList({ views, say }: Pick<ManageViewsProps, 'views' | 'say'>) {
  const zone = useZone()
  const [deleted, setDeleted] = useState<{ view: SavedView; index: number } | null>(null)
  const undo = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (deleted) undo.current?.focus()
  }, [deleted])
  const restore = ({ view, index }: { view: SavedView; index: number }) => {
    updateViews((all) => all.toSpliced(index, 0, { ...view, name: toFreeName(all, view.name) }))
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
                updateViews((all) =>
                  isTaken(all, { ...view, name }) ? all : withView(all, { ...view, name }),
                )
                say(`${view.name} renamed to ${name}`)
              }}
            />
            <Button
              variant="quiet"
              aria-label={`Delete ${view.name}`}
              onClick={() => {
                updateViews((all) => withoutView(all, view.id))
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

type Imported = ReturnType<typeof addFromFile>

function importFile(text: string): Imported {
  const added = addFromFile(text, useStored.getState())
  if (added.ok) updateStored(() => ({ views: added.views, stars: added.stars }))
  return added
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

function exportFile(): void {
  const { views, stars } = useStored.getState()
  const day = new Date().toISOString().slice(0, 10)
  const file = new Blob([toFileText(views, stars)], { type: 'application/json' })
  saveFile(file, `bellwether-views-${day}.json`)
}
