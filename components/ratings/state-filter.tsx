'use client'

import { useId } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { classNames } from '#components/ui/class-names.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { RATING_STATES } from '#lib/contract/ratings-query.ts'
import { FilterGroup } from './filter-group.tsx'
import { type QueryProps, withFilter } from './query-change.ts'

type State = (typeof RATING_STATES)[number]

const LABELS: Readonly<Record<State, string>> = { active: 'Active', expired: 'Expired' }

/** Active, expired, or both, at the instant of the answer. Choosing again what is chosen gives it up. */
export function StateFilter({ query, change, facets }: QueryProps & { facets?: Facets }) {
  const name = useId()
  const set = (state: State | null) => change((last) => withFilter(last, { state }))
  const counts = new Map(facets?.state.map(({ value, count }) => [value, count]))
  const most = Math.max(1, ...counts.values())
  return (
    <FilterGroup legend="State" onReset={query.state === null ? undefined : () => set(null)}>
      {RATING_STATES.map((state) => {
        const count = counts.get(state) ?? 0
        return (
          <StateOption
            key={state}
            name={name}
            label={LABELS[state]}
            count={facets ? count : null}
            share={count / most}
            isOn={query.state === state}
            onChoose={(isOn) => set(isOn ? null : state)}
          />
        )
      })}
    </FilterGroup>
  )
}

type StateOptionProps = {
  name: string
  label: string
  /** Null where it is not known. */
  count: number | null
  /** Of the greater of both counts: how long the bar is. */
  share: number
  isOn: boolean
  /** `isOn`: whether it was chosen already. */
  onChoose: (isOn: boolean) => void
}

/** As high as a line of the other filters. */
function StateOption({ name, label, count, share, isOn, onChoose }: StateOptionProps) {
  const { formatCount } = useFormats()
  const id = useId()
  return (
    <label className="relative flex h-[26px] cursor-pointer items-start gap-2 pt-0.5">
      <input
        type="radio"
        name={name}
        className="check mt-[3px] rounded-full!"
        aria-labelledby={`${id}label`}
        aria-describedby={`${id}count`}
        checked={isOn}
        onChange={() => onChoose(false)}
        // A native radio is never given up: this one is, by the click that would choose it again.
        onClick={() => isOn && onChoose(true)}
      />
      <span id={`${id}label`}>{label}</span>
      <span id={`${id}count`} className="ml-auto text-ink-3">
        {count === null ? '–' : formatCount(count)}
      </span>
      <span aria-hidden className="absolute right-0 bottom-0.5 left-[22px]">
        <span
          className={classNames('block h-[1.5px] rounded-full', isOn ? 'bg-accent' : 'bg-line-2')}
          style={{ width: `${Math.round(1000 * share) / 10}%` }}
        />
      </span>
    </label>
  )
}
