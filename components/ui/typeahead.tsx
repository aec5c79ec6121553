'use client'

import { type KeyboardEvent, useId, useState } from 'react'
import { classNames } from './class-names.ts'
import { FIELD_CLASSES } from './text-field.tsx'
import { moveActive } from './typeahead-keys.ts'
import { TypeaheadList, type TypeaheadOption } from './typeahead-list.tsx'

type TypeaheadProps = {
  label: string
  /** The label is read but not seen. */
  labelHidden?: boolean
  placeholder?: string
  /** What is typed; the options are the caller's answer to it, and may come later. */
  query: string
  onQuery: (query: string) => void
  options: readonly TypeaheadOption[]
  /**
   * Values that are chosen already, where several are possible: the list stays open, and choosing one again calls
   * `onSelect` again. Left out, one choice closes the list.
   */
  selected?: readonly string[]
  /** The caller changes `query` and `selected`. */
  onSelect: (value: string) => void
  /** `loading` keeps the old options, `failed` says so. */
  state?: 'ready' | 'loading' | 'failed'
  /** Stands in the list where nothing matches. */
  emptyText?: string
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
    <div className={classNames('relative flex flex-col gap-1', className)}>
      <label htmlFor={id} className={labelHidden ? 'sr-only' : 'text-sm font-medium text-ink-2'}>
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
        className={FIELD_CLASSES}
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
