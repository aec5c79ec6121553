import { toBeyondText } from '#components/charts/prediction-scale.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import type { Series } from '#lib/contract/answers/opinion.ts'
import type { Judged } from './bucket-words.ts'
import type { SeriesView } from './series-address.ts'
import { selectMoves, toMovesRule } from './series-moves.ts'
import { toSeriesSummary } from './series-summary.ts'
import { toDots, toTimePoints } from './to-time-points.ts'

type SeriesNotesProps = { series: Series; judged: Judged; view: SeriesView; showsAhead: boolean }

/** What the series says, in words, and the rules that it was made by. */
export function SeriesNotes({ series, judged, view, showsAhead }: SeriesNotesProps) {
  const formats = useFormats()
  const { minimum, asTable } = view
  const beyond = asTable
    ? null
    : toBeyondText(
        {
          bucket: series.bucket,
          points: toTimePoints(series.points, minimum),
          dots: toDots(series.ratings),
        },
        formats,
      )
  return (
    <div className="flex max-w-[100ch] flex-col gap-1.5 pl-2 text-sm text-ink-3">
      <p className="text-ink-2">
        {toSeriesSummary({ ...series, ...judged }, minimum, formats)} {beyond}
      </p>
      <p>{toRuleText(series, view, showsAhead)}</p>
    </div>
  )
}

/** What is drawn, over how many opinions, by which rule. */
export function toRuleText(series: Series, { minimum, asTable }: SeriesView, showsAhead: boolean) {
  const { bucket, posted, ratings } = series
  const few = minimum === 1 ? 'none is' : `fewer than ${minimum} are`
  const rule = [
    `Consensus: the mean of the ratings (1 Strong Sell to 5 Strong Buy) that were active at the end of each ${bucket}, one for each member; not ${asTable ? 'given' : 'drawn'} where ${few}.`,
    'Active: posted, not expired, not replaced by the member’s next rating.',
    'Predictions are those of the same ratings: median, middle half (quartiles by nearest rank), lowest and highest.',
  ]
  const single =
    ratings.length < posted
      ? `Shades: how many were posted each ${bucket}`
      : 'Dots: single ratings, where they were posted'
  const drawn = [`${single}. Bars: the active ratings by label.`]
  const hasMoves = selectMoves(series, minimum).length > 0
  const moves = hasMoves ? [toMovesRule(bucket)] : []
  if (hasMoves) drawn.push('Dotted: notable moves.')
  if (showsAhead) drawn.push('Dashed: what is left if nothing is renewed.')
  const days = 'Days are those of UTC, weeks begin on Monday.'
  return [...rule, ...(asTable ? [] : drawn), ...moves, days].join(' ')
}
