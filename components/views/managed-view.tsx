'use client'

import { type DragEvent, useEffect, useRef } from 'react'
import { Button } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { RenameField } from './rename-field.tsx'
import type { SavedView } from './saved-view.ts'
import { ShareLink } from './share-link.tsx'

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
export function ManagedView({ view, place, others, drag, ...rest }: ManagedViewProps) {
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
