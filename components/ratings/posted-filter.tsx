'use client'

import { Button } from '#components/ui/button.tsx'
import { TextField } from '#components/ui/text-field.tsx'
import { FilterGroup } from './filter-group.tsx'
import { hasLastDays, toDays, withFirstDay, withLastDay, withLastDays } from './posted-span.ts'
import type { QueryProps } from './query-change.ts'
import { useDraft } from './use-draft.ts'

const RANGES = [
  { label: '7 d', days: 7 },
  { label: '30 d', days: 30 },
  { label: '90 d', days: 90 },
  { label: '1 y', days: 365 },
]
/** A year that is still being typed (`0202`) is no date that anybody meant. */
const WRITTEN = /^[1-9]\d{3}-/

/** The filter by day of posting: two dates, both included, and spans that end today. `now` is the answer's instant. */
export function PostedFilter({ query, change, now }: QueryProps & { now: number }) {
  const { first, last } = toDays(query)
  return (
    <FilterGroup legend="Created">
      <div className="grid gap-1.5">
        <DayField label="From" day={first} set={(day) => change((q) => withFirstDay(q, day))} />
        <DayField label="To" day={last} set={(day) => change((q) => withLastDay(q, day))} />
      </div>
      <div className="mt-2 flex gap-1">
        {RANGES.map(({ label, days }) => (
          <Button
            key={days}
            size="small"
            variant="outline"
            className="grow aria-pressed:border-accent aria-pressed:bg-accent-bg"
            aria-pressed={hasLastDays(query, days, now)}
            onClick={() => change((q) => withLastDays(q, days, now))}
          >
            <span className="sr-only">Last </span>
            {label}
          </Button>
        ))}
      </div>
    </FilterGroup>
  )
}

type DayFieldProps = { label: string; day: string; set: (day: string) => void }

function DayField({ label, day, set }: DayFieldProps) {
  const [text, setText] = useDraft(day)
  return (
    <TextField
      type="date"
      className="flex-row! items-center [&_label]:w-8 [&_label]:shrink-0"
      label={label}
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        if (WRITTEN.test(target.value)) set(target.value)
      }}
      onBlur={({ target }) => target.value !== day && set(target.value)}
    />
  )
}
