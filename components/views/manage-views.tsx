'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/messages.tsx'
import { ModalDialog } from '#components/ui/overlays.tsx'
import { exportViews } from './export-views.ts'
import { ImportViews } from './import-views.tsx'
import { ManagedView } from './managed-view.tsx'
import { type SavedView, withFirst, withoutView, withPlace, withView } from './saved-view.ts'
import { StorageNotice } from './storage-notice.tsx'
import { useDropped } from './use-dropped.ts'
import type { Views } from './use-views.ts'

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
          <Button disabled={views.views.length === 0} onClick={exportViews}>
            Export as JSON
          </Button>
          <span className="text-sm text-ink-3">Kept in this browser only.</span>
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
