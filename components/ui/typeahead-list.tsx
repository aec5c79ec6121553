'use client'

import { useEffect, useRef } from 'react'
import { classNames } from './class-names.ts'

export type TypeaheadOption = { value: string; label: string; detail?: string }

export type ListProps = {
  label: string
  options: readonly TypeaheadOption[]
  /** Keeps the list open; selecting a value again calls `onSelect` again. */
  selected?: readonly string[]
  onExclude?: (value: string) => void
  excluded?: readonly string[]
  state?: 'ready' | 'loading' | 'failed'
  emptyText?: string
}

type TypeaheadListProps = ListProps & {
  id: string
  active: number
  onActive: (index: number) => void
  choose: (index: number) => void
}

export function TypeaheadList(props: TypeaheadListProps) {
  const { id, label, options, selected, active, state = 'ready', emptyText = 'No match' } = props
  const { onExclude, excluded } = props
  const list = useRef<HTMLDivElement>(null)
  // A scrolling container may cut off the list.
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
      <span className="min-w-0 font-medium wrap-anywhere">{option.label}</span>
      {option.detail && <span className="ml-auto shrink-0 text-ink-3">{option.detail}</span>}
    </div>
  )
}

type ExclusionProps = { label: string; isOut: boolean; onPress: () => void }

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
