'use client'

import dynamic from 'next/dynamic'
import { type KeyboardEvent, useId, useState } from 'react'
import { classNames } from './class-names.ts'
import type { ListProps } from './typeahead-list.tsx'

const TypeaheadList = dynamic(async () => (await import('./typeahead-list.tsx')).TypeaheadList, {
  ssr: false,
})

type TypeaheadProps = ListProps & {
  labelHidden?: boolean
  placeholder?: string
  query: string
  onQuery: (query: string) => void
  onSelect: (value: string) => void
  className?: string
}

/** ARIA 1.2 combobox: the focus stays in the field. */
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

type Move = {
  open: boolean
  active: number
  handled: boolean
  choose?: boolean
  clear?: boolean
}

/** `active` is -1 for the field. Null for unhandled keys. */
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
      return { open: false, active: -1, handled: open, clear: !open }
    default:
      return null
  }
}
