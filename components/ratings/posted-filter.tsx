'use client'

import { isZonedMidnight } from '#components/format/instants.ts'
import { Button } from '#components/ui/button.tsx'
import { TextField } from '#components/ui/fields.tsx'
import type { RatingsView } from '#lib/contract/ratings-view.ts'
import { ANY, isAny } from '#lib/contract/value-list.ts'
import { FilterGroup } from './filter-group.tsx'
import {
  hasLastDays,
  toDays,
  toSpanText,
  withFirstDay,
  withLastDay,
  withLastDays,
} from './posted-span.ts'
import { type QueryProps, withFilter } from './query-change.ts'
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
  const { created, from, to } = query
  const reset = () => change((view) => withFilter(view, { from: null, to: null, created: ANY }))
  /** A span takes the place of the days, months and years that were asked for before. */
  const set = (to: (view: RatingsView) => RatingsView) => change((view) => to(withoutDays(view)))
  return (
    <FilterGroup
      legend="Created"
      onReset={from === null && to === null && isAny(created) ? undefined : reset}
    >
      <div className="grid gap-1.5">
        <DayField label="From" day={first} set={(day) => set((view) => withFirstDay(view, day))} />
        <DayField label="To" day={last} set={(day) => set((view) => withLastDay(view, day))} />
      </div>
      {!isOfDays(query) && (
        <p className="mt-1.5 text-sm text-ink-3">Exactly {toSpanText(query, query.tz)}</p>
      )}
      <div className="mt-2 flex gap-1">
        {RANGES.map(({ label, days }) => (
          <Button
            key={days}
            size="small"
            variant="outline"
            className="grow aria-pressed:border-accent aria-pressed:bg-accent-bg"
            aria-pressed={hasLastDays(query, days, now)}
            onClick={() => set((view) => withLastDays(view, days, now))}
          >
            <span className="sr-only">Last </span>
            {label}
          </Button>
        ))}
      </div>
    </FilterGroup>
  )
}

const withoutDays = (view: RatingsView): RatingsView =>
  withFilter(view, { created: { only: [], not: view.created.not } })

/** Do the two dates say all of the span? */
const isOfDays = ({ from, to, tz }: RatingsView): boolean =>
  [from, to].every((at) => at === null || isZonedMidnight(at, tz))

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
