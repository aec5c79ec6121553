'use client'

import { type FormEvent, useCallback, useState } from 'react'
import { formatDay } from '#components/format/instants.ts'
import {
  FacetList,
  FilterGroup,
  type ToggleValue,
  toTopRows,
} from '#components/ratings/filters/facet-list.tsx'
import { toPlaces } from '#components/ratings/filters/held-places.ts'
import { Button } from '#components/ui/button.tsx'
import { TextField } from '#components/ui/fields.tsx'
import type { LookupFacets } from '#lib/contract/answers/lookups.ts'
import { parseInstant } from '#lib/contract/instant-text.ts'
import type { LookupList } from '#lib/contract/lookups-query.ts'
import { ANY, isAny, toToggled } from '#lib/contract/value-list.ts'
import type { LookupsView } from './use-lookups.ts'

type FiltersProps = Pick<LookupsView, 'query' | 'change'> & { facets: LookupFacets | undefined }

const LINES = 8

const GROUPS = [
  { name: 'symbol', legend: 'Symbol', of: 'symbols', adds: 'another symbol' },
  { name: 'source', legend: 'Source', of: 'sources', adds: null },
  { name: 'room', legend: 'Room', of: 'rooms', adds: 'another room' },
] as const

/** What look-ups can be left by, each line with how many it would leave. */
export function LookupsFilters({ facets, ...view }: FiltersProps) {
  return (
    <div className="flex flex-col gap-5">
      <DayFilter {...view} />
      {GROUPS.map((group) => (
        <ListFilter key={group.name} {...group} {...view} facets={facets} />
      ))}
    </div>
  )
}

type ListFilterProps = FiltersProps & {
  name: LookupList
  legend: string
  of: 'symbols' | 'sources' | 'rooms'
  adds: string | null
}

function ListFilter({ name, legend, of, adds, facets, query, change }: ListFilterProps) {
  const chosen = query[name]
  const onToggle = useCallback<ToggleValue<string>>(
    (value, how) => change({ [name]: toToggled(query[name], value, how) }),
    [name, query, change],
  )
  const top = facets?.[name]
  const distinct = facets?.distinct[of] ?? 0
  const places = toPlaces({ top, chosen, most: LINES })
  return (
    <FilterGroup
      legend={legend}
      onReset={isAny(chosen) ? undefined : () => change({ [name]: ANY })}
      {...(facets && { total: { count: distinct, of } })}
    >
      <FacetList onToggle={onToggle} rows={toTopRows({ top, distinct, chosen, places })} />
      {facets && places.length === 0 && <p className="text-sm text-ink-3">The dump names none.</p>}
      {adds !== null && distinct > places.length && (
        <AddValue
          label={adds}
          onAdd={(text) =>
            change({ [name]: toToggled(chosen, name === 'symbol' ? text.toUpperCase() : text) })
          }
        />
      )}
    </FilterGroup>
  )
}

/** A value that is not among the most frequent, by its name. */
function AddValue({ label, onAdd }: { label: string; onAdd: (text: string) => void }) {
  const [text, setText] = useState('')
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '') onAdd(text.trim())
    setText('')
  }
  return (
    <form className="mt-1.5 flex items-end gap-1.5" onSubmit={add}>
      <TextField
        className="min-w-0 grow"
        label={`Add ${label}`}
        labelHidden
        maxLength={64}
        onChange={({ target }) => setText(target.value)}
        placeholder={`Add ${label}`}
        value={text}
      />
      <Button size="small" type="submit" variant="outline">
        Add<span className="sr-only"> {label}</span>
      </Button>
    </form>
  )
}

const WRITTEN = /^[1-9]\d{3}-\d{2}-\d{2}$/
const DAY_SECONDS = 86_400

/** Two days of UTC, both included: look-ups are counted by these days. */
function DayFilter({ query: { from, to }, change }: Pick<LookupsView, 'query' | 'change'>) {
  const day = (text: string) => (WRITTEN.test(text) ? parseInstant(text) : null)
  const isNone = from === null && to === null
  return (
    <FilterGroup
      legend="Looked up"
      onReset={isNone ? undefined : () => change({ from: null, to: null })}
    >
      <div className="grid gap-1.5">
        <TextField
          className="day-field"
          label="From"
          onChange={({ target }) => {
            const first = day(target.value)
            const isBefore = to === null || first === null || first < to
            change({ from: first, ...(!isBefore && { to: null }) })
          }}
          type="date"
          value={from === null ? '' : formatDay(from)}
        />
        <TextField
          className="day-field"
          label="To"
          onChange={({ target }) => {
            const last = day(target.value)
            const until = last === null ? null : last + DAY_SECONDS
            const isAfter = from === null || until === null || until > from
            change({ to: until, ...(!isAfter && { from: null }) })
          }}
          type="date"
          value={to === null ? '' : formatDay(to - 1)}
        />
      </div>
    </FilterGroup>
  )
}
