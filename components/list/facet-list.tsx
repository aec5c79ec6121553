'use client'

import { type CSSProperties, memo, type ReactNode, useCallback, useId } from 'react'
import {
  type ChangeQuery,
  type QueryProps,
  withFilter,
} from '#components/address/ratings-address.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Checkbox } from '#components/ui/fields.tsx'
import type { Counted } from '#lib/contract/answers/envelope.ts'
import type { Quality } from '#lib/contract/quality.ts'
import { ANY, type Chosen, isAny, toToggled } from '#lib/contract/value-list.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

type FilterGroupProps = {
  legend: string
  /** A field in the group has the same name; else the group itself is found by its label. */
  hasField?: boolean
  /** How many values there are under the other filters, and what they are: `symbols`. */
  total?: { count: number; of: string }
  /** Takes the filter away. Missing where it is none. */
  onReset?: () => void
  /** Puts its lines into order again. Missing where they are. */
  onSort?: () => void
  children: ReactNode
}

/** A filter of the rail: a group with its name above. */
export function FilterGroup({ legend, hasField = false, children, ...head }: FilterGroupProps) {
  const { formatCount } = useFormats()
  const id = useId()
  const { total, onReset, onSort } = head
  return (
    <fieldset aria-labelledby={hasField ? undefined : id} className="relative min-w-0">
      {/* Floating, or what stands at the right of it would be placed below it. */}
      <legend id={id} className="filter-name">
        {legend}
      </legend>
      {(onSort || onReset || total) && (
        <div className="filter-head">
          {onSort && (
            <button
              type="button"
              className="link h-6 no-underline!"
              title="The lines keep their places while you filter. Sort them by their counts now."
              onClick={onSort}
            >
              sort<span className="sr-only"> the list by {legend.toLowerCase()}</span>
            </button>
          )}
          {onReset && (
            <button type="button" className="link h-6 no-underline!" onClick={onReset}>
              reset<span className="sr-only"> the filter by {legend.toLowerCase()}</span>
            </button>
          )}
          {total && (
            <span>
              {formatCount(total.count)}
              <span className="sr-only"> {total.of} under the other filters</span>
            </span>
          )}
        </div>
      )}
      <div className="clear-both">{children}</div>
    </fieldset>
  )
}

type FacetListProps<T extends string | number> = {
  rows: readonly FacetRow<T>[]
  /** These three stay the same function, so that a line is drawn anew only where it changed. */
  onToggle: ToggleValue<T>
  toMark?: (value: T) => ReactNode
  toFill?: (value: T) => string
  strong?: boolean
  className?: string
  style?: CSSProperties
}

/** The values of a filter, one below the other; bars are relative to the longest. */
export function FacetList<T extends string | number>(props: FacetListProps<T>) {
  const { rows, onToggle, toMark, toFill, strong, className, ...list } = props
  const { formatCount } = useFormats()
  const most = Math.max(1, ...rows.map(({ count }) => count ?? 0))
  return (
    <ul {...list} className={classNames('facets', className)}>
      {rows.map(({ count, ...row }) => (
        <FacetOption
          key={row.value}
          {...row}
          count={count === null ? null : formatCount(count)}
          share={(count ?? 0) / most}
          onToggle={onToggle}
          toMark={toMark}
          toFill={toFill}
          strong={strong}
        />
      ))}
    </ul>
  )
}

type FacetOptionProps<T> = {
  value: T
  label: string
  /** How many rows it brings; null where that is not known. */
  count: string | null
  /** Of the greatest count of the list: how long the bar is. */
  share: number
  isOn: boolean
  isNot: boolean
  /** What it means, where the label does not say all of it. */
  rule?: string
  onToggle: ToggleValue<T>
  toMark?: (value: T) => ReactNode
  /** The colour of the bar, where the data have one. */
  toFill?: (value: T) => string
  strong?: boolean
}

/** A value that can be chosen or taken out, with its count and a thin bar of it. 26 px high. */
function Option<T extends string | number>(props: FacetOptionProps<T>) {
  const { value, label, isOn, isNot, onToggle, toMark, strong = false } = props
  const count = props.count ?? '–'
  const fill = isNot ? undefined : props.toFill?.(value)
  return (
    <li
      className={classNames('facet', strong && 'facet-strong', toMark && 'facet-marked')}
      data-not={isNot || undefined}
      title={props.rule}
      style={toBar(props.share, fill)}
    >
      <Checkbox
        label={label}
        mark={toMark?.(value)}
        trailing={
          isNot ? (
            <>
              {count}
              <span className="sr-only">, excluded</span>
            </>
          ) : (
            count
          )
        }
        checked={isOn}
        onChange={() => onToggle(value, 'only')}
      />
      {/* At the end of each line, so that one sees that it can be done. */}
      <button
        type="button"
        aria-pressed={isNot}
        aria-label={`Exclude ${label}`}
        title={isNot ? `Include ${label} again` : `Exclude ${label}`}
        onClick={() => onToggle(value, 'not')}
      />
    </li>
  )
}

/** The bar of a line, for the style sheet: how long it is, of 1 that the longest has, and its colour if it has its own. */
export const toBar = (share: number, fill?: string): CSSProperties =>
  ({ '--share': `${Math.round(1000 * share) / 10}%`, '--fill': fill }) as CSSProperties

/** Drawn anew only where it changed; `memo` alone forgets what kind of value it is of. */
const FacetOption = memo(Option) as typeof Option

/** A line of a filter: `count` is null where nobody counted it. */
export type FacetRow<T> = {
  value: T
  label: string
  count: number | null
  isOn: boolean
  isNot: boolean
  /** What it means, where the label does not say all of it. */
  rule?: string
}

/** Takes a value in or out, or gives up that it was. */
export type ToggleValue<T> = (value: T, how: keyof Chosen<T>) => void

type CodeRows = {
  /** The labels of the codes that are always shown. */
  known: Readonly<Record<number, string>>
  counted: readonly Counted[] | undefined
  chosen: Chosen<number>
  toLabel: (code: number) => string
}

/** The lines of a filter by code: ours, those that the service uses beside them, and those that were asked for. */
export function toCodeRows({ known, counted, chosen, toLabel }: CodeRows): FacetRow<number>[] {
  const found = new Map(counted?.map((row) => [row.value, row]))
  const codes = new Set([
    ...Object.keys(known).map(Number),
    ...found.keys(),
    ...chosen.only,
    ...chosen.not,
  ])
  return [...codes]
    .sort((a, b) => a - b)
    .map((value) => ({
      value,
      label: toVisibleText(found.get(value)?.label ?? toLabel(value)),
      count: counted ? (found.get(value)?.count ?? 0) : null,
      ...toChoice(chosen, value),
    }))
}

const toChoice = <T,>({ only, not }: Chosen<T>, value: T) => ({
  isOn: only.includes(value),
  isNot: not.includes(value),
})

type TopRows<T> = {
  /** The most frequent under the other filters, and every chosen one that is there at all. */
  top: readonly { value: T; count: number }[] | undefined
  /** How many values there are under the other filters. */
  distinct: number
  chosen: Chosen<T>
  /** The values in the places that they keep. */
  places: readonly T[]
}

/** The lines of a filter with many values. One that is not among the most frequent now is counted only where it has none. */
export function toTopRows<T extends string | number>(listed: TopRows<T>): FacetRow<T>[] {
  const { top, distinct, chosen, places } = listed
  const counts = new Map(top?.map(({ value, count }) => [value, count]))
  const isAllKnown = (top?.filter(({ count }) => count > 0).length ?? -1) >= distinct
  return places.map((value) => ({
    value,
    label: toVisibleText(String(value)),
    count: counts.get(value) ?? (isAllKnown ? 0 : null),
    ...toChoice(chosen, value),
  }))
}

/** The lists that the rail shows line by line, and what their values are. */
type Lists = { symbol: string; user: number; rating: number; action: number; quality: Quality }

/** What a list of the rail does to the view: a value in or out, and, where any is, none of them any more. */
export function useToggle<L extends keyof Lists>(
  list: L,
  query: QueryProps['query'],
  change: ChangeQuery,
) {
  const toggle = useCallback(
    (value: Lists[L], how: keyof Chosen<unknown>) =>
      change((view) => {
        // The view's lists are told apart by their names alone.
        const chosen: Chosen<string | number> = view[list]
        return withFilter(view, { [list]: toToggled<string | number>(chosen, value, how) })
      }),
    [list, change],
  )
  const reset = useCallback(
    () => change((view) => withFilter(view, { [list]: ANY })),
    [list, change],
  )
  return { toggle, reset: isAny(query[list]) ? undefined : reset }
}
