'use client'

import { type FormEvent, useCallback, useState } from 'react'
import {
  FacetList,
  FilterGroup,
  type ToggleValue,
  toTopRows,
} from '#components/ratings/filters/facet-list.tsx'
import { toPlaces } from '#components/ratings/filters/held-places.ts'
import { Button } from '#components/ui/button.tsx'
import { TextField } from '#components/ui/fields.tsx'
import type { DifferenceFacets } from '#lib/contract/answers/edition-differences.ts'
import {
  DIFFERENCE_KINDS,
  type DifferenceKind,
  type DifferenceList,
} from '#lib/contract/edition-differences.ts'
import { ANY, type Chosen, isAny, toToggled } from '#lib/contract/value-list.ts'
import { KIND_WORDS, toFieldWord } from './edition-differences-texts.ts'
import type { DifferencesView } from './use-edition-differences.ts'

type FiltersProps = Pick<DifferencesView, 'query' | 'change'> & {
  facets: DifferenceFacets | undefined
}

const LINES = 8
/** All columns that a dump usually has. */
const FIELD_LINES = 16

/** What a difference can be left by, each line with how many ratings it would leave. */
export function DifferencesFilters(props: FiltersProps) {
  return (
    <div className="flex flex-col gap-5">
      <KindFilter {...props} />
      <ListFilter {...props} name="field" legend="Field" of="fields" lines={FIELD_LINES} />
      <ListFilter {...props} name="symbol" legend="Symbol" of="symbols" adds="another symbol" />
      <ListFilter {...props} name="user" legend="User" of="users" adds="another user" />
    </div>
  )
}

function useToggle<T extends string | number>(
  name: DifferenceList,
  chosen: Chosen<T>,
  change: FiltersProps['change'],
) {
  return useCallback<ToggleValue<T>>(
    (value, how) => change({ [name]: toToggled(chosen, value, how) }),
    [name, chosen, change],
  )
}

function KindFilter({ facets, query, change }: FiltersProps) {
  const chosen = query.kind
  const onToggle = useToggle<DifferenceKind>('kind', chosen, change)
  const counts = new Map(facets?.kind.map(({ value, count }) => [value, count]))
  const rows = DIFFERENCE_KINDS.map((value) => ({
    ...{ value, ...KIND_WORDS[value], count: facets ? (counts.get(value) ?? 0) : null },
    ...{ isOn: chosen.only.includes(value), isNot: chosen.not.includes(value) },
  }))
  return (
    <FilterGroup
      legend="What happened"
      onReset={isAny(chosen) ? undefined : () => change({ kind: ANY })}
    >
      <FacetList onToggle={onToggle} rows={rows} />
    </FilterGroup>
  )
}

type ListFilterProps = FiltersProps & {
  name: Exclude<DifferenceList, 'kind'>
  legend: string
  of: 'fields' | 'symbols' | 'users'
  lines?: number
  adds?: string
}

function ListFilter(props: ListFilterProps) {
  const { name, legend, of, lines = LINES, adds, facets, query, change } = props
  const chosen: Chosen<string | number> = query[name]
  const onToggle = useToggle(name, chosen, change)
  const top: readonly { value: string | number; count: number }[] | undefined = facets?.[name]
  const distinct = facets?.distinct[of] ?? 0
  const places = toPlaces({ top, chosen, most: lines })
  const rows = toTopRows({ top, distinct, chosen, places })
  const shown =
    name === 'field' ? rows.map((row) => ({ ...row, label: toFieldWord(row.label) })) : rows
  return (
    <FilterGroup
      legend={legend}
      onReset={isAny(chosen) ? undefined : () => change({ [name]: ANY })}
      {...(facets && { total: { count: distinct, of } })}
    >
      <FacetList onToggle={onToggle} rows={shown} />
      {facets && places.length === 0 && <p className="text-sm text-ink-3">None changed.</p>}
      {adds !== undefined && distinct > places.length && (
        <AddValue
          isWhole={name === 'user'}
          label={adds}
          onAdd={(value) => change({ [name]: toToggled(chosen, value) })}
        />
      )}
    </FilterGroup>
  )
}

const WHOLE = /^\d{1,15}$/

type AddValueProps = { label: string; isWhole: boolean; onAdd: (value: string | number) => void }

/** A value that is not among the most frequent, by its name. */
function AddValue({ label, isWhole, onAdd }: AddValueProps) {
  const [text, setText] = useState('')
  const value = text.trim()
  const isWrong = isWhole && value !== '' && !WHOLE.test(value)
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (value === '' || isWrong) return
    onAdd(isWhole ? Number(value) : value.toUpperCase())
    setText('')
  }
  return (
    <form className="mt-1.5 flex items-end gap-1.5" onSubmit={add}>
      <TextField
        className="min-w-0 grow"
        inputMode={isWhole ? 'numeric' : 'text'}
        label={`Add ${label}`}
        labelHidden
        maxLength={64}
        onChange={({ target }) => setText(target.value)}
        placeholder={`Add ${label}`}
        problem={isWrong ? 'A user is a number.' : null}
        value={text}
      />
      <Button size="small" type="submit" variant="outline">
        Add<span className="sr-only"> {label}</span>
      </Button>
    </form>
  )
}
