'use client'

import { type FormEvent, useState } from 'react'
import { formatPrediction } from '#components/format/prediction.ts'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { TextField } from '#components/ui/text-field.tsx'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { BarStrip } from './bar-strip.tsx'
import { toPredictionBars } from './bars.ts'
import { FilterGroup } from './filter-group.tsx'
import { parsePredictionField, withLeastPrediction, withMostPrediction } from './prediction-span.ts'
import type { QueryProps } from './query-change.ts'
import { useDraft } from './use-draft.ts'

const STRIP_PX = 40

/** The filter by prediction: its distribution, and two bounds, both included. */
export function PredictionFilter({ query, change, facets }: QueryProps & { facets?: Facets }) {
  return (
    <FilterGroup legend="Prediction">
      <PredictionStrip query={query} change={change} facets={facets} />
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

const toRangeText = (from: string, to: string) =>
  `${formatPrediction(from)} to ${formatPrediction(to)}`

function PredictionStrip({ query, change, facets }: QueryProps & { facets?: Facets }) {
  const bins = facets?.prediction
  const [first, last] = [bins?.at(0), bins?.at(-1)]
  return (
    <div className="mb-2 h-[60px]">
      {!bins && <Skeleton height={STRIP_PX} />}
      {bins && first && last && (
        <>
          <BarStrip
            name="Predicted, pick a span"
            bars={toPredictionBars(bins, query, toRangeText)}
            heightPx={STRIP_PX}
            onPick={(bar) => change(bar.pick)}
          />
          <div aria-hidden className="flex justify-between text-xs text-ink-3">
            <span>{formatPrediction(first.from)}</span>
            <span>{formatPrediction(last.to)}</span>
          </div>
        </>
      )}
    </div>
  )
}

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
