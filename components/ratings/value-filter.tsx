'use client'

import type { FormEvent } from 'react'
import { Typeahead } from '#components/ui/typeahead.tsx'
import { FacetList } from './facet-list.tsx'
import type { FacetRow, ToggleValue } from './facet-rows.ts'
import { FilterGroup } from './filter-group.tsx'
import type { ValueSearch } from './use-value-search.ts'

type ValueFilterProps = {
  legend: string
  placeholder: string
  /** How many values there are, and what they are. */
  total: { count: number; of: string } | undefined
  rows: readonly FacetRow<string>[]
  /** Lines that the list holds the place of, so that nothing below it moves. */
  reserved: number
  search: ValueSearch
  chosen: readonly string[]
  onToggle: ToggleValue<string>
  onReset?: () => void
}

/** A filter with many values: a search for any of them, and the ones that most rows have. */
export function ValueFilter(props: ValueFilterProps) {
  const { legend, rows, search, onToggle } = props
  const select = (value: string) => {
    onToggle(value, search.isNot ? 'not' : 'only')
    search.setText('')
  }
  // Enter without an option pointed at: the one that was written out, else the best match.
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const text = search.asked.toUpperCase()
    if (text === '') return
    const found = await search.load()
    const best = found.find(({ value }) => value.toUpperCase() === text) ?? found[0]
    if (best) select(best.value)
  }
  return (
    <FilterGroup legend={legend} hasField total={props.total} onReset={props.onReset}>
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
        onToggle={onToggle}
        strong
        className="mt-1.5 max-h-[312px] overflow-y-auto [scrollbar-width:thin]"
        style={{ minHeight: 26 * props.reserved }}
      />
    </FilterGroup>
  )
}
