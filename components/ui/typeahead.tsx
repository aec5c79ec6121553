'use client'

import dynamic from 'next/dynamic'
import { type KeyboardEvent, useId, useState } from 'react'
import { classNames } from './class-names.ts'
import type { ListProps } from './typeahead-list.tsx'

// Nobody looks for anything yet as the page comes.
const TypeaheadList = dynamic(async () => (await import('./typeahead-list.tsx')).TypeaheadList, {
  ssr: false,
})

type TypeaheadProps = ListProps & {
  /** The label is read but not seen. */
  labelHidden?: boolean
  placeholder?: string
  /** What is typed; the options are the caller's answer to it, and may come later. */
  query: string
  onQuery: (query: string) => void
  /** The caller changes `query` and `selected`. */
  onSelect: (value: string) => void
  className?: string
}

/** A combobox over options that are asked for while typing (ARIA 1.2: focus stays in the field). */
export function Typeahead(props: TypeaheadProps) {
  const { label, labelHidden = false, placeholder, query, onQuery, options, className } = props
  const id = useId()
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const shown = Math.min(active, options.length - 1)

  const choose = (index: number) => {
    const option = options[index]
    if (!option) return
    props.onSelect(option.value)
    setActive(-1)
    setOpen(props.selected !== undefined)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moveActive(event.key, { open, active: shown, count: options.length })
    if (!move) return
    if (move.handled) event.preventDefault()
    setOpen(move.open)
    setActive(move.active)
    if (move.choose) choose(shown)
    if (move.clear) onQuery('')
  }

  return (
    // Leaving for the list itself is no leaving: options prevent the press that would move the focus.
    <div className={classNames('field-frame', className)}>
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'field-label'}>
        {label}
      </label>
      <input
        id={id}
        type="text"
        role="combobox"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        placeholder={placeholder}
        value={query}
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={`${id}list`}
        aria-activedescendant={open && shown >= 0 ? `${id}option${shown}` : undefined}
        className="field"
        onChange={(event) => {
          onQuery(event.target.value)
          setOpen(true)
          setActive(-1)
        }}
        onClick={() => setOpen(true)}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
      />
      {open && (
        <TypeaheadList {...props} id={id} active={shown} onActive={setActive} choose={choose} />
      )}
    </div>
  )
}

type State = { open: boolean; active: number; count: number }

/** What a key does: the new state, and whether the page must not act on it too. */
type Move = {
  open: boolean
  active: number
  handled: boolean
  choose?: boolean
  clear?: boolean
}

/**
 * The keys of a combobox whose list stands below its field. `active` is -1 where the field itself is. Null for keys
 * that belong to the field.
 */
export function moveActive(key: string, { open, active, count }: State): Move | null {
  const to = (index: number): Move => ({ open: true, active: index, handled: true })
  switch (key) {
    case 'ArrowDown':
      return to(active + 1 < count ? active + 1 : Math.min(0, count - 1))
    case 'ArrowUp':
      return to(active > 0 ? active - 1 : count - 1)
    case 'Enter':
      if (!open || active < 0) return null
      return { open: true, active: -1, handled: true, choose: true }
    case 'Escape':
      // The first Escape closes the list, the second empties the field.
      return { open: false, active: -1, handled: open, clear: !open }
    default:
      return null
  }
}
