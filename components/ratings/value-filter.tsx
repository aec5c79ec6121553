'use client'

import type { FormEvent } from 'react'
import { Typeahead } from '#components/ui/typeahead.tsx'
import { FacetList } from './facet-list.tsx'
import type { FacetRow } from './facet-rows.ts'
import { FilterGroup } from './filter-group.tsx'
import type { ValueSearch } from './use-value-search.ts'

type ValueFilterProps = {
  legend: string
  placeholder: string
  rows: readonly FacetRow<string | number>[]
  /** Lines that the list holds the place of, so that nothing below it moves. */
  reserved: number
  search: ValueSearch
  chosen: readonly string[]
  /** Chooses a value, or gives it up where it is chosen. */
  onToggle: (value: string) => void
}

/** A filter with many values: a search for any of them, and the ones that most rows have. */
export function ValueFilter(props: ValueFilterProps) {
  const { legend, rows, search, onToggle } = props
  const select = (value: string) => {
    onToggle(value)
    search.setText('')
  }
  // Enter without an option pointed at: the one that was written out, else the best match.
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const text = search.text.trim().replace(/^#/, '').toUpperCase()
    if (text === '') return
    const found = await search.load()
    const best = found.find(({ value }) => value.toUpperCase() === text) ?? found[0]
    if (best) select(best.value)
  }
  return (
    <FilterGroup legend={legend} hasField>
      <form onSubmit={submit} onFocus={search.begin}>
        <Typeahead
          label={legend}
          labelHidden
          placeholder={props.placeholder}
          query={search.text}
          onQuery={search.setText}
          options={search.options}
          selected={props.chosen}
          onSelect={select}
          state={search.state}
          emptyText="None found"
        />
      </form>
      <FacetList
        rows={rows}
        onToggle={(value) => onToggle(String(value))}
        strong
        className="mt-1.5"
        style={{ minHeight: 26 * props.reserved }}
      />
    </FilterGroup>
  )
}
