'use client'

import { type FormEvent, useRef, useState } from 'react'
import { formatDay } from '#components/format/instants.ts'
import { Button } from '#components/ui/button.tsx'
import { TextField } from '#components/ui/fields.tsx'
import { parseDay } from '#lib/contract/instant-text.ts'
import {
  type AnyList,
  readBound,
  readChosen,
  selectCountedFilters,
  selectSpanField,
} from '#lib/contract/lists/define-list.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { ANY, type Chosen, isAny, toToggled } from '#lib/contract/value-list.ts'
import { DayField } from './day-field.tsx'
import { FacetList, FilterGroup, type ToggleValue, toTopRows } from './facet-list.tsx'
import { useStableOrder } from './stable-order.ts'

type Value = string | number
type Query = Readonly<Record<string, unknown>>

export type ListFacets = Query & { distinct: Readonly<Record<string, number>> }

type FilteredList = {
  list: AnyList
  query: Query
  change(values: Query): void
  facets: ListFacets | undefined
}

type FiltersProps = FilteredList & {
  showText: string
}

export function ListFilters({ showText, ...filtered }: FiltersProps) {
  const folded = useRef<HTMLDetailsElement>(null)
  return (
    <>
      <aside aria-label="Filters" className="min-w-0 max-lg:hidden print:hidden">
        <Groups {...filtered} />
      </aside>
      <details
        ref={folded}
        className="list-filters rounded-lg border bg-surface px-4 lg:hidden print:hidden"
      >
        <summary className="flex h-10 items-center font-semibold">Filters</summary>
        <Groups {...filtered} />
        <Button
          className="my-3 w-full"
          onClick={() => {
            if (folded.current) folded.current.open = false
            folded.current?.querySelector('summary')?.focus()
          }}
          size="large"
          variant="solid"
        >
          {showText}
        </Button>
      </details>
    </>
  )
}

function Groups(filtered: FilteredList) {
  const span = selectSpanField(filtered.list)
  return (
    <div className="flex flex-col gap-5">
      {span !== null && (
        <SpanGroup {...filtered} legend={filtered.list.fields[span]?.label ?? ''} />
      )}
      {selectCountedFilters(filtered.list).map((filter) => (
        <ValuesGroup key={filter.name} {...filtered} filter={filter} />
      ))}
    </div>
  )
}

const LINES = 8

type Filter = ReturnType<typeof selectCountedFilters>[number]

function ValuesGroup({ filter, facets, query, change }: FilteredList & { filter: Filter }) {
  const { name, label, plural, values, all, words } = filter
  const chosen = readChosen(query, name)
  const counts: unknown = facets?.[name]
  const top: readonly { value: Value; count: number }[] | undefined = Array.isArray(counts)
    ? counts
    : undefined
  const distinct = facets?.distinct[plural] ?? top?.length ?? 0
  const held = useStableOrder<Value>({ top, chosen, most: all ? Number.POSITIVE_INFINITY : LINES })
  const places = values ?? held.places
  const rows = toTopRows({ top, distinct, chosen, places }).map((row) => ({
    ...row,
    ...words?.[row.value],
  }))
  const toggle: ToggleValue<Value> = (value, how) =>
    change({ [name]: toToggled(chosen, value, how) })
  return (
    <FilterGroup
      legend={label}
      onReset={isAny(chosen) ? undefined : () => change({ [name]: ANY })}
      {...(facets && !values && { total: { count: distinct, of: plural } })}
    >
      <FacetList onToggle={toggle} rows={rows} />
      {facets && places.length === 0 && <p className="text-sm text-ink-3">None.</p>}
      {values === undefined && distinct > places.length && (
        <AddValue
          chosen={chosen}
          filter={filter}
          label={`Add ${label.toLowerCase()}`}
          onAdd={(next) => change({ [name]: next })}
        />
      )}
    </FilterGroup>
  )
}

type AddValueProps = {
  filter: Filter
  label: string
  chosen: Chosen<Value>
  onAdd: (chosen: Chosen<Value>) => void
}

function AddValue({ filter: { parameter }, label, chosen, onAdd }: AddValueProps) {
  const [text, setText] = useState('')
  const isWhole = parameter.kind.type === 'whole'
  const isSymbol = parameter.kind.type === 'symbol'
  const written = text.trim()
  const isWrong = isWhole && written !== '' && !/^\d{1,15}$/.test(written)
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (written === '' || isWrong) return
    const value = isWhole ? Number(written) : isSymbol ? toSymbolKey(written) : written
    onAdd(toToggled(chosen, value))
    setText('')
  }
  return (
    <form className="mt-1.5 flex items-end gap-1.5" onSubmit={add}>
      <TextField
        className="min-w-0 grow"
        inputMode={isWhole ? 'numeric' : 'text'}
        label={label}
        labelHidden
        maxLength={parameter.kind.maxLength ?? 64}
        onChange={({ target }) => setText(target.value)}
        placeholder={label}
        problem={isWrong ? 'Not a number' : null}
        value={text}
      />
      <Button size="small" type="submit" variant="outline">
        Add<span className="sr-only">{label.slice('Add'.length)}</span>
      </Button>
    </form>
  )
}

const DAY_SECONDS = 86_400

type SpanGroupProps = Pick<FilteredList, 'query' | 'change'> & { legend: string }

/** UTC days, both inclusive. A bound replaces the other if the range would be empty. */
function SpanGroup({ legend, query, change }: SpanGroupProps) {
  const [from, to] = [readBound(query, 'from'), readBound(query, 'to')]
  const isNone = from === null && to === null
  return (
    <FilterGroup
      legend={legend}
      onReset={isNone ? undefined : () => change({ from: null, to: null })}
    >
      <div className="grid gap-1.5">
        <DayField
          day={from === null ? '' : formatDay(from)}
          label="From"
          set={(day) => {
            const first = parseDay(day)
            const isBefore = to === null || first === null || first < to
            change({ from: first, ...(!isBefore && { to: null }) })
          }}
        />
        <DayField
          day={to === null ? '' : formatDay(to - 1)}
          label="To"
          set={(day) => {
            const last = parseDay(day)
            const end = last === null ? null : last + DAY_SECONDS
            const isAfter = from === null || end === null || end > from
            change({ to: end, ...(!isAfter && { from: null }) })
          }}
        />
      </div>
    </FilterGroup>
  )
}
