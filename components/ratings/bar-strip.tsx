'use client'

import { type KeyboardEvent, type MouseEvent, useId, useState } from 'react'
import { formatCount } from '#components/format/count.ts'
import { classNames } from '#components/ui/class-names.ts'
import { type Bar, toShares } from './bars.ts'

type BarStripProps = {
  /** What picking does: "Posted in". It may not hold the name of a filter, which is looked for by that name. */
  name: string
  bars: readonly Bar[]
  heightPx: number
  onPick: (bar: Bar) => void
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/**
 * Bars that filter by a click, or by arrow keys and Enter: one stop for the keyboard, however many they are. Where
 * a filter holds, the bars outside of it fade.
 */
export function BarStrip({ name, bars, heightPx, onPick }: BarStripProps) {
  const id = useId()
  const [active, setActive] = useState<number | null>(null)
  const shares = toShares(bars.map(({ count }) => count))
  const pick = (index: number | null) => {
    const bar = index === null ? undefined : bars[index]
    if (bar) onPick(bar)
  }
  const move = (event: KeyboardEvent) => {
    const last = bars.length - 1
    const at = Math.min(active ?? last, last)
    const target = { Home: 0, End: last }[event.key] ?? at + (STEPS[event.key] ?? 0)
    if (event.key === 'Enter' || event.key === ' ') pick(at)
    else if (!(event.key in STEPS) && event.key !== 'Home' && event.key !== 'End') return
    event.preventDefault()
    setActive(Math.max(0, Math.min(last, target)))
  }
  const click = (event: MouseEvent<HTMLElement>) => {
    if (!(event.target instanceof Element)) return
    const index = event.target.closest<HTMLElement>('[data-bar]')?.dataset.bar
    if (index !== undefined) pick(Number(index))
  }
  return (
    <div
      role="listbox"
      tabIndex={0}
      aria-label={name}
      aria-orientation="horizontal"
      aria-multiselectable
      aria-activedescendant={active === null ? undefined : `${id}${active}`}
      className="flex items-stretch"
      style={{ height: heightPx }}
      onClick={click}
      onKeyDown={move}
      onFocus={() => setActive((at) => at ?? bars.length - 1)}
      onBlur={() => setActive(null)}
    >
      {bars.map((bar, index) => (
        <StripBar
          key={bar.key}
          id={`${id}${index}`}
          index={index}
          bar={bar}
          share={shares[index] ?? 0}
          isActive={index === active}
        />
      ))}
    </div>
  )
}

type StripBarProps = { id: string; index: number; bar: Bar; share: number; isActive: boolean }

function StripBar({ id, index, bar, share, isActive }: StripBarProps) {
  const text = `${bar.label}: ${formatCount(bar.count)}`
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the strip keeps the focus and points here
    <div
      id={id}
      role="option"
      aria-selected={bar.isOn}
      aria-label={text}
      title={text}
      data-bar={index}
      className={classNames(
        'flex min-w-0 flex-1 cursor-pointer items-end px-px hover:bg-accent-bg',
        isActive && 'bg-accent-bg forced-colors:outline-2 forced-colors:-outline-offset-2',
      )}
    >
      <span
        className={classNames(
          'w-full rounded-t-[1.5px]',
          bar.isOn
            ? 'bg-rating-4 forced-colors:bg-[CanvasText]'
            : 'bg-line-2 forced-colors:bg-[GrayText]',
        )}
        style={{ height: `${share * 100}%` }}
      />
    </div>
  )
}
