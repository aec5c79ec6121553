'use client'

import { type KeyboardEvent, useRef, useState } from 'react'
import { buttonClasses } from '#components/ui/button.tsx'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { columns } from './columns.tsx'

type ColumnsMenuProps = { hidden: readonly string[]; setHidden: (ids: readonly string[]) => void }

const LIST = columns.map((column) => ({
  id: 'accessorKey' in column ? String(column.accessorKey) : '',
  label: column.meta?.label ?? '',
  isLesser: column.meta?.isLesser ?? false,
}))

const withOrWithout = (ids: readonly string[], id: string) =>
  ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]

/** Which columns the table shows. One always stays. */
export function ColumnsMenu({ hidden, setHidden }: ColumnsMenuProps) {
  const [isOpen, setOpen] = useState(false)
  const details = useRef<HTMLDetailsElement>(null)
  const close = () => details.current?.removeAttribute('open')
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    close()
    details.current?.querySelector('summary')?.focus()
  }
  return (
    <details
      ref={details}
      className="relative"
      onKeyDown={onKeyDown}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) close()
      }}
    >
      <summary className={buttonClasses({}, 'list-none')}>Columns</summary>
      {isOpen && (
        <div className="absolute right-0 z-30 mt-1 w-44 rounded-md border border-line-2 bg-surface p-2">
          {LIST.map(({ id, label, isLesser }) => (
            <Checkbox
              key={id}
              label={label}
              className={isLesser ? 'max-sm:hidden' : undefined}
              checked={!hidden.includes(id)}
              disabled={!hidden.includes(id) && hidden.length >= LIST.length - 1}
              onChange={() => setHidden(withOrWithout(hidden, id))}
            />
          ))}
        </div>
      )}
    </details>
  )
}
