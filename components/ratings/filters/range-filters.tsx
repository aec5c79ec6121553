'use client'

import { type FormEvent, useMemo, useState } from 'react'
import { isZonedMidnight, toSpanText } from '#components/format/instants.ts'
import { formatCounted, formatPrediction } from '#components/format/numbers.ts'
import { DayField, useDraft } from '#components/list/day-field.tsx'
import { FilterGroup } from '#components/list/facet-list.tsx'
import { SpanControl } from '#components/list/span-control.tsx'
import { Button } from '#components/ui/button.tsx'
import { TextField } from '#components/ui/fields.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { type QueryProps, type RatingsView, withFilter } from '#lib/contract/ratings-view.ts'
import { ANY, isAny } from '#lib/contract/value-list.ts'
import { selectSoleValue } from './column-histogram.ts'
import { toBarsModel, toPredictionBars, toPredictionEnds } from './filter-bars.ts'
import { isAmong, type PredictionBounds, toFaded, toPredictionBounds } from './histogram.ts'
import {
  asSpan,
  hasLastDays,
  toDays,
  withFirstDay,
  withLastDay,
  withLastDays,
} from './posted-range.ts'
import {
  parsePredictionField,
  withBounds,
  withLeastPrediction,
  withMostPrediction,
} from './prediction-range.ts'

const RANGES = [
  { label: '7 d', days: 7 },
  { label: '30 d', days: 30 },
  { label: '90 d', days: 90 },
  { label: '1 y', days: 365 },
]

export function PostedFilter({ query: given, change, now }: QueryProps & { now: number }) {
  const query = asSpan(given)
  const zone = useZone()
  const { first, last } = toDays(query, zone)
  const { created, from, to } = query
  const reset = () => change((view) => withFilter(view, { from: null, to: null, created: ANY }))
  const set = (to: (view: RatingsView) => RatingsView) =>
    change((view) => to(withoutDays(asSpan(view))))
  return (
    <FilterGroup
      legend="Posted"
      onReset={from === null && to === null && isAny(created) ? undefined : reset}
    >
      <div className="grid gap-1.5">
        <DayField
          label="From"
          day={first}
          set={(day) => set((view) => withFirstDay(view, day, zone))}
        />
        <DayField
          label="To"
          day={last}
          set={(day) => set((view) => withLastDay(view, day, zone))}
        />
      </div>
      {!isOfDays(query, zone) && (
        <p className="mt-1.5 text-sm text-ink-3">Exactly {toSpanText(query, zone)}</p>
      )}
      <div className="mt-2 flex gap-1">
        {RANGES.map(({ label, days }) => (
          <Button
            key={days}
            size="small"
            variant="outline"
            className="grow aria-pressed:border-accent aria-pressed:bg-accent-bg"
            aria-label={`Last ${label}`}
            aria-pressed={hasLastDays(query, days, { now, zone })}
            onClick={() => set((view) => withLastDays(view, days, { now, zone }))}
          >
            {label}
          </Button>
        ))}
      </div>
    </FilterGroup>
  )
}

const withoutDays = (view: RatingsView): RatingsView =>
  withFilter(view, { created: { only: [], not: view.created.not } })

const isOfDays = ({ from, to }: RatingsView, zone: string): boolean =>
  [from, to].every((at) => at === null || isZonedMidnight(at, zone))

const STRIP_PX = 40

export function PredictionFilter({ query, change, facets }: QueryProps & { facets?: Facets }) {
  const asked = useMemo(() => toPredictionBounds(query), [query])
  const { only, not } = asked.prediction
  const sole = facets ? selectSoleValue(facets.prediction) : null
  const isAsked = toAskedBounds(asked).length + only.length + not.length > 0
  const reset = () =>
    change((last) => ({ ...withBounds(last, null, null), prediction: { only: [], not: [] } }))
  if (sole !== null && facets && !isAsked)
    return <SolePrediction bins={facets.prediction} value={sole} />
  return (
    <FilterGroup legend="Prediction" onReset={isAsked ? reset : undefined}>
      <div className="mb-2 h-[80px]">
        {!facets && <Skeleton height={STRIP_PX} />}
        {facets && facets.prediction.length > 0 && (
          <PredictionSlider asked={asked} change={change} bins={facets.prediction} />
        )}
      </div>
      <div className="grid grid-cols-2 gap-2">
        <BoundField
          label="Min %"
          bound={query.prediction_min}
          set={(bound) => change((last) => withLeastPrediction(last, bound))}
        />
        <BoundField
          label="Max %"
          bound={query.prediction_max}
          set={(bound) => change((last) => withMostPrediction(last, bound))}
        />
      </div>
    </FilterGroup>
  )
}

function SolePrediction({ bins, value }: { bins: Facets['prediction']; value: string }) {
  const count = bins.reduce((sum, bin) => sum + bin.count, 0)
  return (
    <FilterGroup legend="Prediction">
      <p className="text-ink-2">
        All {formatCounted(count, 'prediction')} are {formatPrediction(value)}.
      </p>
    </FilterGroup>
  )
}

const toAskedBounds = ({ prediction, ...bounds }: PredictionBounds) =>
  Object.values(bounds).filter((bound) => bound !== null)

type PredictionSliderProps = Pick<QueryProps, 'change'> & {
  asked: PredictionBounds
  bins: Facets['prediction']
}

function PredictionSlider({ asked, change, bins }: PredictionSliderProps) {
  const drawn = useMemo(() => toPredictionBars(bins, asked, toSpanLabel), [bins, asked])
  const model = useMemo(
    () => ({
      ...toBarsModel(drawn, change),
      clear: () => change((view) => withBounds(view, null, null)),
      ends: toPredictionEnds(bins, { asked, change, toText: formatPrediction }),
    }),
    [drawn, bins, asked, change],
  )
  const list = useMemo(() => ({ name: 'Predicted, pick a range', bars: drawn.bars }), [drawn])
  const bars = useMemo(() => toFaded(bins, asked.prediction, isAmong), [bins, asked.prediction])
  return (
    <>
      <SpanControl
        bars={bars}
        list={list}
        model={model}
        heightPx={STRIP_PX}
        ends="rail"
        veil="bg-paper/70"
        className="touch-pan-y"
      />
      <div aria-hidden className="flex justify-between text-xs text-ink-3">
        <span>{formatPrediction(bins.at(0)?.from ?? '')}</span>
        <span>{formatPrediction(bins.at(-1)?.to ?? '')}</span>
      </div>
    </>
  )
}

const toSpanLabel = (least: string, most: string) =>
  `${formatPrediction(least)} to ${formatPrediction(most)}`

type BoundFieldProps = {
  label: string
  bound: string | null
  set: (bound: string | null) => void
}

function BoundField({ label, bound, set }: BoundFieldProps) {
  const [text, setText] = useDraft(bound ?? '')
  const [problem, setProblem] = useState<string | null>(null)
  const commit = () => {
    const parsed = parsePredictionField(text)
    setProblem(parsed === undefined ? 'Not a number' : null)
    if (parsed !== undefined && parsed !== bound) set(parsed)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    commit()
  }
  return (
    <form onSubmit={submit}>
      <TextField
        label={label}
        inputMode="decimal"
        value={text}
        problem={problem}
        onChange={({ target }) => setText(target.value)}
        onBlur={commit}
      />
    </form>
  )
}
