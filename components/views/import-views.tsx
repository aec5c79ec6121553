'use client'

import { useEffect, useId, useRef, useState } from 'react'
import { formatCounted } from '#components/format/numbers.ts'
import { Button, buttonClasses } from '#components/ui/button.tsx'
import { Notice } from '#components/ui/messages.tsx'
import { ImportPreview } from './import-preview.tsx'
import { planImport, withImport } from './plan-import.ts'
import { readFileText } from './read-file-text.ts'
import type { Views } from './use-views.ts'
import { viewsStore } from './views-store.ts'

type ImportViewsProps = {
  views: Views
  /** The text of a file that was dropped. */
  given: string | null
  /** Called when nothing is left to do, with what was done. */
  onDone: (message: string) => void
}

/** Takes a file, chosen, dropped or pasted, and shows what it would bring before anything of it happens. */
export function ImportViews({ views, given, onDone }: ImportViewsProps) {
  const id = useId()
  const [entered, setText] = useState<{ over: string | null; text: string }>({
    over: null,
    text: '',
  })
  const section = useRef<HTMLElement>(null)
  // What was dropped last counts until something else is entered.
  const text = entered.over === given ? entered.text : (given ?? '')
  const enter = (next: string) => setText({ over: given, text: next })
  const planned = text.trim() === '' ? null : planImport(text, viewsStore.load().saved)
  useEffect(() => {
    section.current?.scrollIntoView({ block: 'nearest' })
    section.current?.querySelector('input')?.focus()
  }, [])
  return (
    <section
      ref={section}
      aria-label="Import views"
      className="flex flex-col gap-2.5 rounded-lg border bg-surface p-3"
    >
      <div className="flex flex-wrap items-center gap-2">
        <label
          className={buttonClasses(
            {},
            'relative has-focus-visible:outline-2 has-focus-visible:outline-accent',
          )}
        >
          Choose a file
          <input
            type="file"
            accept=".json,application/json"
            className="sr-only"
            onChange={async ({ target }) => {
              const [file] = target.files ?? []
              if (file) enter(await readFileText(file))
              target.value = ''
            }}
          />
        </label>
        <span className="text-ink-3">or drop it here, or paste its text:</span>
      </div>
      <textarea
        aria-label="Text of the file"
        aria-describedby={planned?.ok === false ? `${id}problem` : undefined}
        aria-invalid={planned?.ok === false || undefined}
        rows={3}
        spellCheck={false}
        value={text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text}
        onChange={({ target }) => enter(target.value)}
        className="w-full rounded-md border border-line-2 bg-surface p-2 font-mono text-xs text-ink hover:border-edge aria-invalid:border-rating-text-1"
      />
      {planned?.ok === false && (
        <div id={`${id}problem`}>
          <Notice tone="failure" title="Nothing was imported">
            {planned.problem} Your views are untouched.
          </Notice>
        </div>
      )}
      {planned?.ok && <ImportPreview plan={planned.plan} />}
      <div className="flex gap-2">
        {planned?.ok && (
          <ImportButton
            count={planned.plan.added.length + planned.plan.changed.length}
            onImport={(count) => {
              views.change((all) => withImport(all, planned.plan))
              onDone(`${formatCounted(count, 'view')} imported`)
            }}
          />
        )}
        <Button variant="quiet" onClick={() => onDone('')}>
          Cancel
        </Button>
      </div>
    </section>
  )
}

/** A text of any length would be laid out line by line. */
const SHOWN_MAX = 20_000

type ImportButtonProps = { count: number; onImport: (count: number) => void }

const ImportButton = ({ count, onImport }: ImportButtonProps) => (
  <Button variant="solid" disabled={count === 0} onClick={() => onImport(count)}>
    {count === 0 ? 'Nothing to import' : `Import ${formatCounted(count, 'view')}`}
  </Button>
)
