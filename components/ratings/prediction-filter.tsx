'use client'

import { type FormEvent, useMemo, useRef, useState } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { TextField } from '#components/ui/fields.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { isAmong, toFaded } from './faded-bars.ts'
import { FilterGroup } from './filter-group.tsx'
import { type AskedPrediction, toAskedPrediction, toPredictionShares } from './prediction-place.ts'
import {
  parsePredictionField,
  withBounds,
  withLeastPrediction,
  withMostPrediction,
} from './prediction-span.ts'
import type { QueryProps } from './query-change.ts'
import { SpanBars } from './span-bars.tsx'
import { useDraft } from './use-draft.ts'
import { useLater } from './use-later.ts'
import { useSame } from './use-same.ts'

const STRIP_PX = 40

/** The filter by prediction: its distribution, a slider below it, and two bounds, both included. */
export function PredictionFilter({ query, change, facets }: QueryProps & { facets?: Facets }) {
  const asked = useSame(toAskedPrediction(query))
  const { only, not } = asked.prediction
  const isAsked = toAskedBounds(asked).length + only.length + not.length > 0
  const reset = () =>
    change((last) => ({ ...withBounds(last, null, null), prediction: { only: [], not: [] } }))
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

const toAskedBounds = ({ prediction, ...bounds }: AskedPrediction) =>
  Object.values(bounds).filter((bound) => bound !== null)

type PredictionSliderProps = Pick<QueryProps, 'change'> & {
  asked: AskedPrediction
  bins: Facets['prediction']
}

const loadControl = async () => (await import('./prediction-control.tsx')).PredictionControl

function PredictionSlider({ asked, change, bins }: PredictionSliderProps) {
  const { formatPrediction } = useFormats()
  const track = useRef<HTMLDivElement>(null)
  const Control = useLater(loadControl)
  const bars = useMemo(() => toFaded(bins, asked.prediction, isAmong), [bins, asked.prediction])
  return (
    <>
      <SpanBars
        track={track}
        bars={bars}
        chosen={toPredictionShares(bins, asked)}
        heightPx={STRIP_PX}
        ends="rail"
        veil="bg-paper/70"
        className="touch-pan-y"
      >
        {Control && (
          <Control track={track} bins={bins} asked={asked} change={change} heightPx={STRIP_PX} />
        )}
      </SpanBars>
      <div aria-hidden className="flex justify-between text-xs text-ink-3">
        <span>{formatPrediction(bins.at(0)?.from ?? '')}</span>
        <span>{formatPrediction(bins.at(-1)?.to ?? '')}</span>
      </div>
    </>
  )
}

type BoundFieldProps = {
  label: string
  bound: string | null
  set: (bound: string | null) => void
}

function BoundField({ label, bound, set }: BoundFieldProps) {
  const { fromFieldDecimal, toFieldDecimal } = useFormats()
  const [text, setText] = useDraft(toFieldDecimal(bound ?? ''))
  const [problem, setProblem] = useState<string | null>(null)
  const commit = () => {
    const parsed = parsePredictionField(fromFieldDecimal(text))
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
