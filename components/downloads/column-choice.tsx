'use client'

import type { FocusEvent, KeyboardEvent } from 'react'
import { buttonClasses } from '#components/ui/button.tsx'
import { Checkbox } from '#components/ui/checkbox.tsx'
import type { Dump } from '#lib/contract/answers/status.ts'

type ColumnChoiceProps = Pick<Dump, 'kind' | 'columns'> & {
  hidden: ReadonlySet<string>
  onChange: (hidden: ReadonlySet<string>) => void
}

function closeOnEscape({ key, currentTarget }: KeyboardEvent<HTMLDetailsElement>) {
  if (key !== 'Escape' || !currentTarget.open) return
  currentTarget.open = false
  currentTarget.querySelector('summary')?.focus()
}

function closeOnLeaving({ relatedTarget, currentTarget }: FocusEvent<HTMLDetailsElement>) {
  if (!currentTarget.contains(relatedTarget)) currentTarget.open = false
}

/** Which columns of a dump are shown; the last one stays. */
export function ColumnChoice({ kind, columns, hidden, onChange }: ColumnChoiceProps) {
  const shown = columns.filter(({ name }) => !hidden.has(name)).length
  const toggle = (name: string) => {
    const next = new Set(hidden)
    if (!next.delete(name)) next.add(name)
    onChange(next)
  }
  return (
    <details className="relative" onKeyDown={closeOnEscape} onBlur={closeOnLeaving}>
      <summary className={buttonClasses({ size: 'small' }, 'list-none')}>
        Columns {shown === columns.length ? '' : `${shown} of ${columns.length} `}
        <span className="sr-only">of the {kind} dump</span>
      </summary>
      <fieldset className="absolute bottom-full left-0 z-20 mb-1 max-h-64 w-max max-w-[80vw] gap-x-6 overflow-y-auto rounded-lg border border-line-2 bg-surface p-3 shadow-lg sm:columns-2">
        <legend className="sr-only">Columns of the {kind} dump</legend>
        {columns.map(({ name }) => (
          <Checkbox
            key={name}
            label={name}
            checked={!hidden.has(name)}
            disabled={shown === 1 && !hidden.has(name)}
            onChange={() => toggle(name)}
          />
        ))}
      </fieldset>
    </details>
  )
}
