'use client'

import type { ReactNode } from 'react'
import { Button } from '#components/ui/button.tsx'
import { Select } from '#components/ui/fields.tsx'
import type { Sort } from '#lib/contract/query-parameters.ts'

type SortControlProps<C extends string> = {
  /** `first`: the direction when a column is chosen. */
  columns: readonly { id: C; label: string; first: 'asc' | 'desc' }[]
  sort: Sort<C>
  onSort: (sort: Sort<C>) => void
  rule?: ReactNode
}

const DIRECTION_WORDS = { asc: 'ascending', desc: 'descending' } as const
const TURNED = { asc: 'desc', desc: 'asc' } as const

/** For a phone, where a table has no headings. */
export function SortControl<C extends string>({
  columns,
  sort: { column, direction },
  onSort,
  rule,
}: SortControlProps<C>) {
  return (
    <div className="list-sort">
      <Select
        label="Sort by"
        onChange={({ target }) => {
          const chosen = columns.find(({ id }) => id === target.value)
          if (chosen) onSort({ column: chosen.id, direction: chosen.first })
        }}
        options={columns.map(({ id, label }) => ({ value: id, label }))}
        value={column}
      />
      <Button
        aria-label={`Sorted ${DIRECTION_WORDS[direction]}. Reverse the order`}
        onClick={() => onSort({ column, direction: TURNED[direction] })}
        variant="outline"
      >
        {direction === 'asc' ? '↑' : '↓'}
      </Button>
      {rule}
    </div>
  )
}
