'use client'

import { useFormats } from '#components/format/use-formats.tsx'
import { Checkbox, Segmented, Select } from '#components/ui/fields.tsx'
import type { SeriesPoint } from '#lib/contract/answers/opinion.ts'
import { RuleNote } from './rule-note.tsx'
import type { SeriesView } from './series-address.ts'
import type { ChangeView } from './series-controls.tsx'

const MINIMA = [1, 3, 5, 10, 20]

const TREND_OPTIONS = [
  { value: 'count', label: 'Count' },
  { value: 'percent', label: 'Percent' },
] as const

const WEIGHTING = 'Σ w·rating ÷ Σ w, with w = max(0, 1 + agree − disagree)'

type DrawingControlsProps = {
  view: SeriesView
  change: ChangeView
  /** The last point that is drawn; undefined before one is. */
  last: SeriesPoint | undefined
}

/** How the figure is drawn: gaps below which n, the trend's unit, and the line that votes weigh. */
export function DrawingControls({ view, change, last }: DrawingControlsProps) {
  const { formatConsensus } = useFormats()
  const minima = [...new Set([...MINIMA, view.minimum])].sort((a, b) => a - b)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 pl-2">
      <Select
        label="Drawn where at least"
        onChange={({ target }) => change({ minimum: Number(target.value) })}
        options={minima.map((minimum) => ({ value: String(minimum), label: `${minimum} active` }))}
        value={String(view.minimum)}
      />
      <Segmented
        label="Bars"
        labelShown
        onChange={(trend) => change({ trend })}
        options={TREND_OPTIONS}
        value={view.trend}
      />
      <span className="inline-flex items-center gap-1">
        <Checkbox
          checked={view.showsWeighted}
          label="Agreement-weighted line"
          onChange={({ target }) => change({ showsWeighted: target.checked })}
        />
        <RuleNote about="the agreement-weighted line">
          A second consensus, for which members voted: {WEIGHTING}, over the active ratings. One
          that nobody voted on counts once, one with more against it than for it not at all. Votes
          are known only as last seen.
        </RuleNote>
      </span>
      {view.showsWeighted && (
        <span className="text-sm text-ink-3">
          {WEIGHTING}; votes as last seen.
          {last?.weighted &&
            ` At the end ${formatConsensus(last.weighted)}, unweighted ${formatConsensus(last.consensus)}.`}
        </span>
      )}
    </div>
  )
}
