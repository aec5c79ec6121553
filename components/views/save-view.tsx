'use client'

import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { TextField } from '#components/ui/fields.tsx'
import { VIEWS_MAX, withView } from './saved-view.ts'
import type { Views } from './use-views.ts'
import { createViewId } from './view-id.ts'
import { NAME_MAX_LENGTH, readNewName, toFreeName } from './view-name.ts'

type SaveViewProps = {
  views: Views
  toSuggestion: () => string
  /** Called with the name under which it was saved. */
  onSaved: (name: string) => void
}

/** Saves what is shown: under a new name, or in place of the view that it began as. */
export function SaveView({ views, toSuggestion, onSaved }: SaveViewProps) {
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
          className="min-w-0 max-w-full"
          onClick={() => {
            change((all) => withView(all, { ...origin, address }))
            onSaved(origin.name)
          }}
        >
          <span className="truncate">Save changes to {origin.name}</span>
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
