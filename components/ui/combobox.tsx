'use client'

import { Combobox as Base } from '@base-ui/react/combobox'
import { type RefObject, useId } from 'react'
import { classNames } from './class-names.ts'

export type ComboboxOption = { value: string; label: string; detail?: string }

type ComboboxProps = {
  label: string
  placeholder?: string
  query: string
  onQuery: (query: string) => void
  /** Those that match the query. */
  options: readonly ComboboxOption[]
  /** Also called with a selected value. */
  onSelect: (value: string) => void
  selected?: readonly string[]
  excluded?: readonly string[]
  onExclude?: (value: string) => void
  state?: 'ready' | 'loading' | 'failed'
  emptyText?: string
  field?: RefObject<HTMLInputElement | null>
  className?: string
}

const NOTHING: readonly string[] = []

export function Combobox(props: ComboboxProps) {
  const { label, options, selected = NOTHING, onExclude, state = 'ready' } = props
  const id = useId()
  const shown = state === 'failed' ? [] : options
  return (
    <Base.Root
      multiple
      filter={null}
      items={shown.map(({ value }) => value)}
      value={[...selected]}
      onValueChange={(values, { reason }) => {
        if (reason !== 'item-press') return
        const changed =
          values.find((value) => !selected.includes(value)) ??
          selected.find((value) => !values.includes(value))
        if (changed !== undefined) props.onSelect(changed)
      }}
      inputValue={props.query}
      onInputValueChange={(query, { reason }) => {
        // Base UI would also clear the field when the list closes.
        if (reason === 'input-change' || reason === 'escape-key') props.onQuery(query)
      }}
    >
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Base.Input
        ref={props.field}
        id={id}
        placeholder={props.placeholder}
        autoCapitalize="off"
        spellCheck={false}
        className={classNames('field', props.className)}
      />
      {/* The second, hidden field of Base UI would keep Enter from submitting a form. */}
      <button type="submit" hidden />
      <Base.Portal>
        <Base.Positioner align="start" sideOffset={4} collisionPadding={8} className="z-50">
          <Base.Popup className="popup flex min-w-(--anchor-width) flex-col overflow-hidden">
            <Base.List aria-label={label} className="max-h-64 overflow-y-auto empty:hidden">
              {shown.map((option) => (
                <div key={option.value} role="presentation" className="flex">
                  <Option option={option} isCheckable={props.selected !== undefined} />
                  {onExclude && (
                    <Exclusion
                      label={option.label}
                      isOut={props.excluded?.includes(option.value) ?? false}
                      onPress={() => onExclude(option.value)}
                    />
                  )}
                </div>
              ))}
            </Base.List>
            {onExclude && shown.length > 0 && (
              <p className="border-t px-2.5 py-1 text-sm text-ink-3 pointer-coarse:hidden">
                A minus before it excludes.
              </p>
            )}
            <Base.Status className="text-ink-3">
              {toStatus(state, shown.length, props.emptyText ?? 'No match')}
            </Base.Status>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function toStatus(state: ComboboxProps['state'], count: number, emptyText: string) {
  if (count > 0) return null
  const texts = { failed: 'The list could not be loaded.', loading: 'Looking…', ready: emptyText }
  return <p className="px-2.5 py-1.5">{texts[state ?? 'ready']}</p>
}

type OptionProps = { option: ComboboxOption; isCheckable: boolean }

const Option = ({ option: { value, label, detail }, isCheckable }: OptionProps) => (
  <Base.Item value={value} className="option grow">
    {isCheckable && (
      <span aria-hidden className="w-3 shrink-0 text-accent">
        <Base.ItemIndicator>✓</Base.ItemIndicator>
      </span>
    )}
    <span className="min-w-0 font-medium wrap-anywhere">{label}</span>
    {detail && <span className="ml-auto shrink-0 text-ink-3">{detail}</span>}
  </Base.Item>
)

type ExclusionProps = { label: string; isOut: boolean; onPress: () => void }

const Exclusion = ({ label, isOut, onPress }: ExclusionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard excludes with a minus
  // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
  <div
    role="option"
    aria-selected={isOut}
    aria-label={`Exclude ${label}`}
    title={isOut ? `Include ${label} again` : `Exclude ${label}`}
    // Keeps the focus in the field.
    onMouseDown={(event) => event.preventDefault()}
    onClick={onPress}
    className="option-out"
  />
)
