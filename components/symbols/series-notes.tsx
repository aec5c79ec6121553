import { toBeyondText } from '#components/charts/prediction-scale.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import type { Series } from '#lib/contract/answers/symbols.ts'
import { toSeriesSummary } from './series-summary.ts'
import { MINIMUM_ACTIVE, toTimePoints } from './to-time-points.ts'

/** What the series says, in words, and the rules that it was made by. */
export function SeriesNotes({ series }: { series: Series }) {
  const formats = useFormats()
  const beyond = toBeyondText(toTimePoints(series.points), formats)
  return (
    <div className="flex max-w-[92ch] flex-col gap-1.5 pl-2 text-sm text-ink-3">
      <p className="text-ink-2">
        {toSeriesSummary(series, formats)} {beyond}
      </p>
      <p>
        One point a {series.bucket}: lines show what was active at its end (now, in the last one),
        dots and bars what was posted in it. Gaps where fewer than {MINIMUM_ACTIVE} are active.
        Active: not expired and not replaced by the member’s next rating on the symbol. Days begin
        at midnight UTC.
      </p>
    </div>
  )
}
