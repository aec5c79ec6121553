import { readSeriesView, toSeriesParams } from '#components/address/series-address.ts'
import { RatingAxis, TimeTexts } from '#components/charts/axes.tsx'
import { PANE_HEIGHTS } from '#components/charts/chart-sizes.ts'
import { toDrawing } from '#components/charts/layout.ts'
import { ConsensusMarks } from '#components/charts/opinion-panes.tsx'
import { CONSENSUS_SCALE, TIME_AXIS_HEIGHT } from '#components/charts/scales.ts'
import { ENGLISH_FORMATS } from '#components/format/numbers.ts'
import { BUCKET_SECONDS } from '#components/symbols/series/buckets.ts'
import { toDots, toTimePoints } from '#components/symbols/series/series-points.ts'
import { toVerdictTexts } from '#components/symbols/verdict-text.ts'
import type { Ask } from '#lib/client/fetch-api.ts'
import type { Opinion, Series } from '#lib/contract/answers/opinion.ts'
import { CHART, drawPreviewCard } from './preview-card.tsx'

type Shown = { opinion: Opinion; series: Series; isInvented: boolean }

/** The picture of a link to a symbol's page, as SVG. Throws what `ask` throws. */
export async function loadSymbolPreview(symbol: string, ask: Ask): Promise<string> {
  const parts = { symbol }
  const [opinion, series, status] = await Promise.all([
    ask({ kind: 'opinion', parts, params: new URLSearchParams() }),
    ask({ kind: 'series', parts, params: toSeriesParams(viewOf(symbol)) }),
    ask({ kind: 'status', parts: {}, params: new URLSearchParams() }),
  ])
  return drawSymbolPreview({
    opinion: opinion.data,
    series: series.data,
    isInvented: status.data.service.invented,
  })
}

/** What the page shows that no parameter asks otherwise of. */
const viewOf = (symbol: string) => readSeriesView(new URLSearchParams(), symbol).view

export const drawSymbolPreview = ({ opinion, series, isInvented }: Shown): string =>
  drawPreviewCard({
    title: opinion.symbol,
    lines: toVerdictTexts(opinion, viewOf(opinion.symbol).minimum, ENGLISH_FORMATS),
    caption: toCaption(series),
    isInvented,
    children: series.points.length > 0 && <ConsensusChart series={series} />,
  })

const toCaption = ({ ratings, posted, bucket }: Series) =>
  `Consensus of active ratings over time; ${ratings.length < posted ? `shades: ratings posted each ${bucket}` : 'dots: single ratings'}`

/** The first pane of the page's chart, with the axis of its last. */
function ConsensusChart({ series }: { series: Series }) {
  const points = toTimePoints(series.points, viewOf(series.symbol).minimum)
  const dots = toDots(series.ratings)
  const drawing = toDrawing({
    points,
    dots,
    bucket: series.bucket,
    bucketSeconds: BUCKET_SECONDS[series.bucket],
    pending: [],
    moves: [],
    trend: 'count',
    width: CHART.width / CHART.scale,
  })
  const { left, width, right } = drawing.frame
  const height = PANE_HEIGHTS.consensus + TIME_AXIS_HEIGHT
  return (
    <>
      <g transform={`translate(${left})`}>
        <RatingAxis scale={CONSENSUS_SCALE} />
      </g>
      <ConsensusMarks
        density={series.ratings.length < series.posted}
        drawing={drawing}
        pending={[]}
        points={points}
        showsWeighted={false}
      />
      <svg
        height={height}
        overflow="visible"
        role="presentation"
        width={width - left - right}
        x={left}
      >
        <TimeTexts frame={drawing.frame} height={height - 8} />
      </svg>
    </>
  )
}
