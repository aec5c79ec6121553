'use client'

import { memo, type ReactNode, useId, useState } from 'react'
import { formatCount } from '#components/format/numbers.ts'
import {
  FacetList,
  FilterGroup,
  toBar,
  toCodeRows,
  useToggle,
} from '#components/list/facet-list.tsx'
import { actionGlyph, RatingGlyph } from '#components/marks/rating-marks.tsx'
import { Button } from '#components/ui/button.tsx'
import { Drawer } from '#components/ui/dialog.tsx'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { RATING_STATES } from '#lib/contract/lists/ratings.ts'
import {
  ACTION_LABELS,
  actionLabel,
  RATING_LABELS,
  ratingLabel,
  STATE_LABELS,
} from '#lib/contract/rating-fields.ts'
import { type QueryProps, withFilter } from '#lib/contract/ratings-view.ts'
import { isAny } from '#lib/contract/value-list.ts'
import { QualityList, type QualityListProps } from './quality-list.tsx'
import { PostedFilter, PredictionFilter } from './range-filters.tsx'
import { SymbolFilter, UserFilter } from './search-filters.tsx'

type Counts = QueryProps & { facets: Facets | undefined }

const RatingFilter = (counts: Counts) => (
  <CodeFilter
    {...counts}
    list="rating"
    legend="Rating"
    known={RATING_LABELS}
    toLabel={ratingLabel}
    isDescending
    toMark={toRatingGlyph}
    toFill={toFill}
  />
)

const toRatingGlyph = (code: number) => <RatingGlyph code={code} />
const toFill = (code: number) => `var(--rating-${Object.hasOwn(RATING_LABELS, code) ? code : 3})`

const ActionFilter = (counts: Counts) => (
  <CodeFilter
    {...counts}
    list="action"
    legend="Action"
    known={ACTION_LABELS}
    toLabel={actionLabel}
    toMark={toActionGlyph}
  />
)

const toActionGlyph = (code: number) => (
  <span aria-hidden className="text-ink-3">
    {actionGlyph(code)}
  </span>
)

type CodeFilterProps = Counts & {
  list: 'rating' | 'action'
  legend: string
  known: Readonly<Record<number, string>>
  toLabel: (code: number) => string
  isDescending?: boolean
  toMark: (code: number) => ReactNode
  toFill?: (code: number) => string
}

function CodeFilter(props: CodeFilterProps) {
  const { query, change, facets, list, known, toLabel, isDescending = false } = props
  const { toggle, reset } = useToggle(list, query, change)
  const rows = toCodeRows({ known, counted: facets?.[list], chosen: query[list], toLabel })
  return (
    <FilterGroup legend={props.legend} onReset={reset}>
      <FacetList
        rows={isDescending ? rows.reverse() : rows}
        onToggle={toggle}
        toMark={props.toMark}
        toFill={props.toFill}
      />
    </FilterGroup>
  )
}

type State = (typeof RATING_STATES)[number]

const TITLES: Readonly<Record<State, string>> = {
  active: 'Counted in the consensus',
  expired: 'Expired, replaced by the user’s next rating, or no longer listed',
}

function StateFilter({ query, change, facets }: QueryProps & { facets?: Facets }) {
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
            label={STATE_LABELS[state]}
            title={TITLES[state]}
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
  title: string
  /** Null if unknown. */
  count: number | null
  share: number
  isOn: boolean
  onChoose: (isOn: boolean) => void
}

function StateOption({ name, label, title, count, share, isOn, onChoose }: StateOptionProps) {
  const id = useId()
  return (
    <label className="facet facet-state" style={toBar(share)} title={title}>
      <input
        type="radio"
        autoComplete="off"
        name={name}
        className="check"
        aria-labelledby={`${id}label`}
        aria-describedby={`${id}count`}
        checked={isOn}
        onChange={() => onChoose(false)}
        // Native radios cannot be deselected; a second click does it here.
        onClick={() => isOn && onChoose(true)}
      />
      <span id={`${id}label`}>{label}</span>
      <span id={`${id}count`} className="checkbox-note">
        {count === null ? '–' : formatCount(count)}
      </span>
    </label>
  )
}

function QualityFilter(props: QualityListProps) {
  const isChosen = !isAny(props.query.quality)
  const [fold, setFold] = useState({ isOpen: isChosen, isChosen })
  if (fold.isChosen !== isChosen) setFold({ isOpen: fold.isOpen || isChosen, isChosen })
  return (
    <details
      className="relative"
      open={fold.isOpen}
      onToggle={({ currentTarget: { open } }) => setFold({ isOpen: open, isChosen })}
    >
      <summary className="mb-1.5 w-max text-sm font-medium text-ink-3">Data quality</summary>
      {fold.isOpen && <QualityList {...props} />}
    </details>
  )
}

type FilterRailProps = QueryProps & {
  facets: Facets | undefined
  /** Seconds since 1970, approximately. */
  now: number
}

export const FilterRail = memo(function FilterRail(props: FilterRailProps) {
  const { query, change, facets, now } = props
  return (
    <div className="flex flex-col gap-5">
      <SymbolFilter query={query} change={change} facets={facets} />
      <RatingFilter query={query} change={change} facets={facets} />
      <ActionFilter query={query} change={change} facets={facets} />
      <StateFilter query={query} change={change} facets={facets} />
      <PostedFilter query={query} change={change} now={now} />
      <PredictionFilter query={query} change={change} facets={facets} />
      <UserFilter query={query} change={change} facets={facets} />
      <QualityFilter query={query} change={change} facets={facets} />
    </div>
  )
})

type FilterDrawerProps = {
  done: string
  onClose: () => void
  children: ReactNode
}

export const FilterDrawer = ({ done, onClose, children }: FilterDrawerProps) => (
  <Drawer
    label="Filters"
    onClose={onClose}
    className="w-[min(320px,88vw)] border-r border-line bg-paper"
  >
    <div className="min-h-0 grow overflow-y-auto p-5 [scrollbar-width:thin]">{children}</div>
    <div className="border-t p-3">
      <Button variant="solid" size="large" className="w-full" onClick={onClose}>
        {done}
      </Button>
    </div>
  </Drawer>
)
