import type { CSSProperties } from 'react'
import { classNames } from '#components/ui/class-names.ts'

type Part = string | null

export type IntervalProps = {
  /** Decimal fractions; null if missing. */
  of: Part
  low: Part
  high: Part
  /** Fraction on each side of `middle`. */
  reach: number
  /** 0.5 for a share, 0 for a mean. */
  middle: 0 | 0.5
}

export function Interval({ of, low, high, reach, middle }: IntervalProps) {
  const place = (value: Part) =>
    value === null ? undefined : `${toPlace(Number(value), { reach, middle })}%`
  return (
    <span
      aria-hidden
      className={classNames(
        'interval',
        of === null && 'interval-none',
        of !== null && low === null && 'interval-alone',
      )}
      style={toStyle({ '--at': place(of), '--low': place(low), '--high': place(high) })}
    />
  )
}

const toStyle = (places: Readonly<Record<`--${string}`, string | undefined>>): CSSProperties =>
  Object.fromEntries(Object.entries(places))

/** Percent of the axis, clamped. */
export function toPlace(
  value: number,
  { reach, middle }: { reach: number; middle: number },
): number {
  const place = 50 + (50 * (value - middle)) / reach
  return Math.round(100 * Math.min(100, Math.max(0, place))) / 100
}

export function toReach(values: readonly Part[]): number {
  const most = Math.max(0, ...values.map((value) => Math.abs(Number(value ?? 0))))
  return STEPS.find((step) => step >= most) ?? most
}

const STEPS = [0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 1, 2, 5, 10]
