import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { readSeriesView } from '#components/address/series-address.ts'
import { RatingAxis, TimeTexts } from '#components/charts/axes.tsx'
import { toDrawing } from '#components/charts/layout.ts'
import { ConsensusMarks } from '#components/charts/opinion-panes.tsx'
import { TIME_AXIS_HEIGHT } from '#components/charts/scales.ts'
import { BUCKET_SECONDS } from '#components/symbols/series/buckets.ts'
import { toDots, toTimePoints } from '#components/symbols/series/series-points.ts'
import { toVerdictTexts } from '#components/symbols/verdict-text.ts'
import { AXIS_PX, placeRatings, ROW_PX, toRatingsExtent } from '#components/users/ratings.ts'
import { SpanMarks, SpanTexts } from '#components/users/ratings-drawing.tsx'
import { toUserTexts } from '#components/users/user-texts.ts'
import type { FetchAnswer } from '#lib/client/fetch-api.ts'
import { toAsked } from '#lib/client/query-options.ts'
import type { Opinion, Series } from '#lib/contract/answers/opinion.ts'
import type { User, UserRatings } from '#lib/contract/answers/users.ts'
import { seriesQuery } from '#lib/contract/api-queries.ts'
import { stateQuestions } from '#lib/contract/operations/state.ts'
import { symbolQuestions } from '#lib/contract/operations/symbols.ts'
import { userQuestions } from '#lib/contract/operations/users.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

type ShownSymbol = { opinion: Opinion; series: Series; isInvented: boolean }

/** Returns SVG. Throws what `ask` throws. */
export async function loadSymbolPreview(symbol: string, ask: FetchAnswer): Promise<string> {
  const parts = { symbol }
  const [opinion, series, status] = await Promise.all([
    ask(toAsked(symbolQuestions.opinion, { parts })),
    ask(toAsked(symbolQuestions.series, { parts, params: toParams(seriesQuery, viewOf(symbol)) })),
    ask(toAsked(stateQuestions.status)),
  ])
  return drawSymbolPreview({
    opinion: opinion.data,
    series: series.data,
    isInvented: status.data.service.invented,
  })
}

const viewOf = (symbol: string) => readSeriesView(new URLSearchParams(), symbol).view

export const drawSymbolPreview = ({ opinion, series, isInvented }: ShownSymbol): string =>
  drawPreviewCard({
    title: opinion.symbol,
    lines: toVerdictTexts(opinion),
    caption: toCaption(series),
    isInvented,
    children: series.points.length > 0 && <ConsensusChart series={series} />,
  })

const toCaption = ({ ratings, posted }: Series) =>
  `Consensus of active ratings over time${ratings.length < posted ? '' : '; dots: single ratings'}`

/** CSS pixels. */
const CONSENSUS_PX = 220

function ConsensusChart({ series }: { series: Series }) {
  const points = toTimePoints(series.points)
  const dots = toDots(series.ratings)
  const drawing = toDrawing({
    points,
    dots,
    bucket: series.bucket,
    bucketSeconds: BUCKET_SECONDS[series.bucket],
    pending: [],
    edge: '',
    width: CHART.width / CHART.scale,
    height: CONSENSUS_PX,
  })
  const { left, width, right } = drawing.frame
  const height = CONSENSUS_PX + TIME_AXIS_HEIGHT
  return (
    <>
      <g transform={`translate(${left})`}>
        <RatingAxis scale={drawing.ratings} />
      </g>
      <ConsensusMarks drawing={drawing} pending={[]} points={points} price={null} />
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

type ShownUser = { user: User; ratings: UserRatings; at: number; isInvented: boolean }

export async function loadUserPreview(id: string, ask: FetchAnswer): Promise<string> {
  const about = { parts: { id }, params: new URLSearchParams() }
  const [user, ratings, status] = await Promise.all([
    ask(toAsked(userQuestions.user, about)),
    ask(toAsked(userQuestions.userRatings, about)),
    ask(toAsked(stateQuestions.status)),
  ])
  return drawUserPreview({
    user: user.data,
    ratings: ratings.data,
    at: ratings.meta.as_of,
    isInvented: status.data.service.invented,
  })
}

export const drawUserPreview = ({ user, ratings, at, isInvented }: ShownUser): string =>
  drawPreviewCard({
    title: `User ${user.user_id}`,
    lines: toUserTexts(user),
    caption: 'The most recently rated symbols; each bar is a rating, for as long as it counted',
    isInvented,
    children: <LatestRatings at={at} ratings={ratings} />,
  })

const NAMES_PX = 84
const NAME_LETTERS = 10

function LatestRatings({ ratings, at }: { ratings: UserRatings; at: number }) {
  const rowsMax = Math.floor((CHART.height / CHART.scale - AXIS_PX) / ROW_PX)
  const shown = { ...ratings, symbols: ratings.symbols.slice(0, rowsMax) }
  const extent = toRatingsExtent(shown, 'all', at)
  const widthPx = CHART.width / CHART.scale - NAMES_PX
  const rows = placeRatings(shown, extent, widthPx)
  return (
    <>
      {rows.map(({ symbol }, row) => (
        <text
          key={symbol}
          fill="var(--ink)"
          fontSize={12}
          fontWeight={500}
          y={AXIS_PX + row * ROW_PX + 19}
        >
          {toShort(toVisibleText(symbol), NAME_LETTERS)}
        </text>
      ))}
      <svg
        height={AXIS_PX + rows.length * ROW_PX}
        overflow="visible"
        role="presentation"
        width={widthPx}
        x={NAMES_PX}
      >
        <SpanMarks extent={extent} rows={rows} widthPx={widthPx} />
        <SpanTexts extent={extent} rows={rows} widthPx={widthPx} />
      </svg>
    </>
  )
}

const WIDTH = 1200
const HEIGHT = 630
const EDGE = 60

const CHART = { x: EDGE, y: 224, width: WIDTH - 2 * EDGE, height: 380, scale: 1.6 } as const

/** The light theme: rasterizers do not support CSS variables. */
export const PALETTE: Readonly<Record<string, string>> = {
  surface: '#ffffff',
  line: '#e6e5e0',
  'line-2': '#d6d5cf',
  edge: '#888b91',
  ink: '#17181c',
  'ink-2': '#4a4d55',
  'ink-3': '#666a72',
  accent: '#3b5bdb',
  'rating-1': '#a83c14',
  'rating-2': '#cd7436',
  'rating-3': '#878b92',
  'rating-4': '#3f8fa9',
  'rating-5': '#0a5874',
  'rating-text-1': '#9c3a14',
  'rating-text-2': '#a3551d',
  'rating-text-3': '#5a6068',
  'rating-text-4': '#1f6f88',
  'rating-text-5': '#0a5874',
}

const toColoured = (markup: string): string =>
  markup.replace(/var\(--([a-z0-9-]+)\)/g, (_, name: string) => PALETTE[name] ?? 'none')

const STYLE = toColoured(
  [
    ...['line', 'surface', 'ink-2', 'accent'].map(
      (name) => `.stroke-${name}{stroke:var(--${name})}`,
    ),
    ...['ink', 'ink-3', 'surface', 'line', 'accent'].map(
      (name) => `.fill-${name}{fill:var(--${name})}`,
    ),
    ...[1, 2, 3, 4, 5].map((code) => `.rating-fill-${code}{fill:var(--rating-${code})}`),
    ...[1, 2, 3, 4, 5].map((code) => `.fill-rating-text-${code}{fill:var(--rating-text-${code})}`),
    '.rating-fill-none{fill:var(--rating-3)}',
    '.text-xs{font-size:11px}',
    '.rating-glyphs{fill:var(--ink);font-size:10px;font-weight:600}.rating-glyphs tspan{font-size:8px;font-weight:400}',
  ].join(''),
)

type PreviewCardProps = {
  title: string
  lines: readonly string[]
  caption: string
  isInvented: boolean
  children: ReactNode
}

/** Needs only the Geist font. */
const drawPreviewCard = (card: PreviewCardProps): string =>
  renderToStaticMarkup(<PreviewCard {...card} />)
    // Safe for user text: React escapes quotation marks between tags.
    .replace(/="var\(--[a-z0-9-]+\)"/g, toColoured)

const TITLE_PX = 60
/** Average letter width in em. */
const TITLE_WIDTH = 0.66
const LETTER_WIDTH = 0.53

function PreviewCard({ title, lines, caption, isInvented, children }: PreviewCardProps) {
  const [first = '', ...rest] = lines
  const name = toShort(toVisibleText(title), 48)
  const size = Math.min(TITLE_PX, (WIDTH - 2 * EDGE - 330) / (name.length * TITLE_WIDTH))
  return (
    <svg
      fontFamily="Geist"
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      xmlns="http://www.w3.org/2000/svg"
    >
      <title>{name}</title>
      <style>{STYLE}</style>
      <rect fill="var(--surface)" height={HEIGHT} width={WIDTH} />
      <text fill="var(--ink)" fontSize={size} fontWeight={600} x={EDGE} y={98}>
        {name}
      </text>
      <Brand isInvented={isInvented} />
      <text fill="var(--ink)" fontSize={29} fontWeight={600} x={EDGE} y={146}>
        {first}
      </text>
      <text fill="var(--ink-2)" fontSize={24} x={EDGE} y={184}>
        {toFitting(rest, Math.floor((WIDTH - 2 * EDGE) / (24 * LETTER_WIDTH)))}
      </text>
      <text fill="var(--ink-3)" fontSize={18} x={EDGE} y={222}>
        {caption}
      </text>
      <g transform={`translate(${CHART.x} ${CHART.y}) scale(${CHART.scale})`}>{children}</g>
    </svg>
  )
}

const BADGE = 'demo data, invented'

const Brand = ({ isInvented }: Pick<PreviewCardProps, 'isInvented'>) => (
  <g transform={`translate(${WIDTH - EDGE} 0)`}>
    <g transform="translate(-172 57) scale(0.9)">
      <rect fill="var(--ink)" height={32} rx={7} width={32} />
      <path
        d="M16 6v1.5M8 21.5c1.6-1.6 2.1-3.7 2.1-7.3a5.9 5.9 0 0 1 11.8 0c0 3.6.5 5.7 2.1 7.3zM13.9 25.2a2.4 2.4 0 0 0 4.2 0"
        fill="none"
        stroke="var(--surface)"
        strokeLinecap="round"
        strokeLinejoin="round"
        strokeWidth={2.2}
      />
    </g>
    <text fill="var(--ink)" fontSize={25} fontWeight={600} textAnchor="end" y={80}>
      Bellwether
    </text>
    {isInvented && (
      <g>
        <rect
          fill="none"
          height={34}
          rx={17}
          stroke="var(--rating-text-2)"
          strokeWidth={1.5}
          width={226}
          x={-226}
          y={106}
        />
        <text fill="var(--rating-text-2)" fontSize={20} textAnchor="middle" x={-113} y={130}>
          {BADGE}
        </text>
      </g>
    )}
  </g>
)

const toShort = (text: string, most: number): string => {
  const letters = [...text]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text
}

const toFitting = (sentences: readonly string[], letters: number): string =>
  sentences.reduce((line, sentence) => {
    const longer = line === '' ? sentence : `${line} ${sentence}`
    return longer.length > letters ? line : longer
  }, '')
