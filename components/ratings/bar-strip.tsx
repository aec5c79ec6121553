'use client'

import { type KeyboardEvent, memo, useId } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { classNames } from '#components/ui/class-names.ts'
import type { Bar, Bars } from './bars.ts'

type BarStripProps = {
  /** What picking does: "Posted in". It may not hold the name of a filter, which is looked for by that name. */
  name: string
  bars: Bars['bars']
  heightPx: number
  active: number | null
  onActive: (index: number | null) => void
  onPick: (index: number) => void
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/** Bars as a list that arrow keys walk along and Enter picks from: one stop for the keyboard, however many they are. */
export const BarStrip = memo(function BarStrip(props: BarStripProps) {
  const { name, bars, heightPx, active, onActive } = props
  const id = useId()
  const onKeyDown = (event: KeyboardEvent) => {
    const last = bars.length - 1
    const at = Math.min(active ?? last, last)
    const target = { Home: 0, End: last }[event.key] ?? at + (STEPS[event.key] ?? 0)
    if (event.key === 'Enter' || event.key === ' ') props.onPick(at)
    else if (!(event.key in STEPS) && event.key !== 'Home' && event.key !== 'End') return
    event.preventDefault()
    onActive(Math.max(0, Math.min(last, target)))
  }
  return (
    <div
      role="listbox"
      tabIndex={0}
      aria-label={name}
      aria-orientation="horizontal"
      aria-multiselectable
      aria-activedescendant={active === null ? undefined : `${id}${active}`}
      className="absolute inset-x-0 top-0 flex items-stretch"
      style={{ height: heightPx }}
      onKeyDown={onKeyDown}
      // The pointer picks by itself, and must not leave the focus at a bar that it did not mean.
      onFocus={({ currentTarget }) => {
        if (currentTarget.matches(':focus-visible')) onActive(active ?? bars.length - 1)
      }}
      onBlur={() => onActive(null)}
    >
      {bars.map((bar, index) => (
        <Option key={bar.key} id={`${id}${index}`} index={index} bar={bar} active={active} />
      ))}
    </div>
  )
})

type OptionProps = { id: string; index: number; bar: Bar; active: number | null }

function Option({ id, index, bar, active }: OptionProps) {
  const { formatCount } = useFormats()
  const isActive = index === active
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the strip keeps the focus and points here
    <div
      id={id}
      role="option"
      aria-selected={bar.isOn}
      aria-label={`${bar.label}: ${formatCount(bar.count)}`}
      aria-description={isActive ? toSplit(bar, formatCount) : undefined}
      data-bar={index}
      className={classNames(
        'min-w-0 flex-1 hover:bg-ink/5',
        isActive && 'bg-ink/5 outline-1 -outline-offset-1 outline-accent forced-colors:outline-2',
      )}
    />
  )
}

const toSplit = ({ parts }: Bar, toText: (count: number) => string) =>
  parts?.map(({ label, count }) => `${label} ${toText(count)}`).join(', ')
