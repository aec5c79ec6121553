'use client'

import { type CSSProperties, memo, type ReactNode, useCallback, useId } from 'react'
import { formatCount } from '#components/format/numbers.ts'
import { classNames } from '#components/ui/class-names.ts'
import { Checkbox } from '#components/ui/fields.tsx'
import type { Counted } from '#lib/contract/answers/envelope.ts'
import type { Quality } from '#lib/contract/quality.ts'
import { type ChangeQuery, type QueryProps, withFilter } from '#lib/contract/ratings-view.ts'
import { ANY, type Chosen, isAny, toToggled } from '#lib/contract/value-list.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

type FilterGroupProps = {
  legend: string
  hasField?: boolean
  total?: { count: number; of: string }
  onReset?: () => void
  children: ReactNode
}

export function FilterGroup({ legend, hasField = false, children, ...head }: FilterGroupProps) {
  const id = useId()
  const { total, onReset } = head
  return (
    <fieldset aria-labelledby={hasField ? undefined : id} className="relative min-w-0">
      {/* Floating: otherwise the siblings at its right would wrap. */}
      <legend id={id} className="filter-name">
        {legend}
      </legend>
      {(onReset || total) && (
        <div className="filter-head">
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
  /** Must be stable, so that only changed lines render. */
  onToggle: ToggleValue<T>
  toMark?: (value: T) => ReactNode
  toFill?: (value: T) => string
  strong?: boolean
  className?: string
  style?: CSSProperties
}

export function FacetList<T extends string | number>(props: FacetListProps<T>) {
  const { rows, onToggle, toMark, toFill, strong, className, ...list } = props
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
  /** Null if unknown. */
  count: string | null
  share: number
  isOn: boolean
  isNot: boolean
  rule?: string
  onToggle: ToggleValue<T>
  toMark?: (value: T) => ReactNode
  toFill?: (value: T) => string
  strong?: boolean
}

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

export const toBar = (share: number, fill?: string): CSSProperties =>
  ({ '--share': `${Math.round(1000 * share) / 10}%`, '--fill': fill }) as CSSProperties

/** `memo` loses the type parameter. */
const FacetOption = memo(Option) as typeof Option

/** `count` is null if unknown. */
export type FacetRow<T> = {
  value: T
  label: string
  count: number | null
  isOn: boolean
  isNot: boolean
  rule?: string
}

export type ToggleValue<T> = (value: T, how: keyof Chosen<T>) => void

type CodeRows = {
  known: Readonly<Record<number, string>>
  counted: readonly Counted[] | undefined
  chosen: Chosen<number>
  toLabel: (code: number) => string
}

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
  top: readonly { value: T; count: number }[] | undefined
  distinct: number
  chosen: Chosen<T>
  places: readonly T[]
}

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

type Lists = { symbol: string; user: number; rating: number; action: number; quality: Quality }

export function useToggle<L extends keyof Lists>(
  list: L,
  query: QueryProps['query'],
  change: ChangeQuery,
) {
  const toggle = useCallback(
    (value: Lists[L], how: keyof Chosen<unknown>) =>
      change((view) => {
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
