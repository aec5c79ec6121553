'use client'

import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { classNames } from './class-names.ts'

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
  /** Takes a value out instead, at the end of its line. `excluded` are those that are out already. */
  onExclude?: (value: string) => void
  excluded?: readonly string[]
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

export type TypeaheadOption = { value: string; label: string; detail?: string }

type TypeaheadListProps = Pick<
  TypeaheadProps,
  'label' | 'options' | 'selected' | 'state' | 'emptyText' | 'onExclude' | 'excluded'
> & {
  id: string
  active: number
  onActive: (index: number) => void
  choose: (index: number) => void
}

/** The list of a combobox; the field keeps the focus and handles the keys. */
function TypeaheadList(props: TypeaheadListProps) {
  const { id, label, options, selected, active, state = 'ready', emptyText = 'No match' } = props
  const { onExclude, excluded } = props
  const list = useRef<HTMLDivElement>(null)
  // A field at the end of what scrolls has its list beyond the edge.
  const count = options.length
  useEffect(() => {
    if (count > 0) list.current?.parentElement?.scrollIntoView({ block: 'nearest' })
  }, [count])
  useEffect(() => {
    if (active >= 0) list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus in the field
    <div
      onMouseDown={(event) => event.preventDefault()}
      className="absolute inset-x-0 top-full z-20 mt-1 overflow-hidden rounded-md border border-line-2 bg-surface"
    >
      <div
        ref={list}
        id={`${id}list`}
        role="listbox"
        aria-label={label}
        aria-multiselectable={selected ? true : undefined}
        className="max-h-64 overflow-y-auto empty:hidden"
      >
        {state !== 'failed' &&
          options.map((option, index) => (
            <div key={option.value} role="presentation" className="flex">
              <Option
                id={`${id}option${index}`}
                option={option}
                active={index === active}
                selected={selected?.includes(option.value) ?? index === active}
                checkable={selected !== undefined}
                onPoint={() => props.onActive(index)}
                onPress={() => props.choose(index)}
              />
              {onExclude && (
                <Exclusion
                  label={option.label}
                  isOut={excluded?.includes(option.value) ?? false}
                  onPress={() => onExclude(option.value)}
                />
              )}
            </div>
          ))}
      </div>
      {onExclude && state !== 'failed' && options.length > 0 && (
        <p className="border-t px-2.5 py-1 text-sm text-ink-3 pointer-coarse:hidden">
          A minus before it excludes.
        </p>
      )}
      <p role="status" className="px-2.5 py-1.5 text-ink-3 empty:hidden">
        {state === 'failed' && 'The list could not be loaded.'}
        {state === 'loading' && options.length === 0 && 'Looking…'}
        {state === 'ready' && options.length === 0 && emptyText}
      </p>
    </div>
  )
}

type OptionProps = {
  id: string
  option: TypeaheadOption
  active: boolean
  selected: boolean
  checkable: boolean
  onPoint: () => void
  onPress: () => void
}

function Option({ id, option, active, selected, checkable, onPoint, onPress }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys, as the combobox pattern has it
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field and points here
    <div
      id={id}
      role="option"
      aria-selected={selected}
      onMouseMove={active ? undefined : onPoint}
      onClick={onPress}
      className={classNames(
        'option grow',
        active && 'bg-accent-bg forced-colors:outline-2 forced-colors:-outline-offset-2',
      )}
    >
      {checkable && (
        <span aria-hidden className="w-3 text-accent">
          {selected ? '✓' : ''}
        </span>
      )}
      <span className="min-w-0 truncate font-medium">{option.label}</span>
      {option.detail && <span className="ml-auto shrink-0 text-ink-3">{option.detail}</span>}
    </div>
  )
}

type ExclusionProps = { label: string; isOut: boolean; onPress: () => void }

/** An option beside the option: by keyboard it is reached as the caller says, with a finger as it stands there. */
const Exclusion = ({ label, isOut, onPress }: ExclusionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys, as the combobox pattern has it
  // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
  <div
    role="option"
    aria-selected={isOut}
    aria-label={`Exclude ${label}`}
    title={isOut ? `Include ${label} again` : `Exclude ${label}`}
    onClick={onPress}
    className="option-out"
  />
)

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
