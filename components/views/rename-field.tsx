'use client'

import { type KeyboardEvent, useState } from 'react'
import { TextField } from '#components/ui/fields.tsx'
import type { SavedView } from './saved-view.ts'
import { readNewName } from './view-name.ts'

type RenameFieldProps = {
  view: SavedView
  others: readonly SavedView[]
  onRename: (name: string) => void
}

/** The name, to be written over: Enter or going on keeps it, Escape brings the old one back. */
export function RenameField({ view, others, onRename }: RenameFieldProps) {
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
