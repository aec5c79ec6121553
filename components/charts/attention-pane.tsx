'use client'

import { useId, useMemo } from 'react'
import { Curve } from 'recharts'
import { formatCount } from '#components/format/numbers.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { GridLines, TimeTexts, ValueTexts } from './axes.tsx'
import type { DrawnAttention, PaneFrame, Reading } from './chart-data.ts'
import { ChartReader } from './chart-reader.tsx'
import { ATTENTION_HEIGHT, TITLE_HEIGHT } from './chart-sizes.ts'
import { toPaneViews, toShare } from './layout.ts'
import { PaneTitle, PlotPane } from './pane.tsx'
import { PanesBox } from './panes-box.tsx'
import { type PaneScale, toCountScale, toPaneScale, toY } from './scales.ts'
import { toSides, toTimeFrame, toX } from './time-axis.ts'
import { useWidth } from './use-width.ts'

type AttentionChartProps = {
  attention: DrawnAttention
  axis: Omit<Parameters<typeof toTimeFrame>[0], 'width'>
  toWhen: (index: number) => string
}

export function AttentionChart({ attention, axis, toWhen }: AttentionChartProps) {
  const [ref, width] = useWidth()
  const { scale, ticks } = toAttentionScale(attention)
  const views = useMemo(() => {
    const draw = (wide: number) => ({ frame: toTimeFrame({ ...axis, width: wide }) })
    return toPaneViews(width > 0 ? draw(width) : null, draw)
  }, [axis, width])
  const { frame } = views[0].drawing
  const top = TITLE_HEIGHT
  return (
    <PanesBox
      box={ref}
      height={ATTENTION_HEIGHT + TITLE_HEIGHT}
      reader={
        width > 0 && (
          <ChartReader
            describe={(index) => ({
              when: toWhen(index),
              attention: readAttention(attention, index),
            })}
            frame={frame}
            label="Look-ups over time"
            panes={[
              {
                name: 'attention',
                subject: 'Look-ups',
                top,
                height: ATTENTION_HEIGHT,
                toMarks: () => [],
              },
            ]}
          />
        )
      }
      width={width}
    >
      <div data-pane="attention">
        <PaneTitle
          legend={[
            ...attention.sources.map((source, index) => ({
              mark: 'block' as const,
              label: toVisibleText(source),
              colour: toColour(index),
            })),
            ...(attention.knownTo === null
              ? []
              : [{ mark: 'faint' as const, label: 'hatched: not known', isWide: true }]),
          ]}
          short="Look-ups"
          title={`Look-ups, each ${axis.bucket}, by source`}
        />
        <PlotPane
          axis={<ValueTexts format={formatCount} scale={scale} ticks={ticks} />}
          height={ATTENTION_HEIGHT}
          texts={(drawing) => (
            <>
              <TimeTexts frame={drawing.frame} height={ATTENTION_HEIGHT} />
              <UnknownText attention={attention} frame={drawing.frame} scale={scale} />
            </>
          )}
          views={views}
        >
          <GridLines frame={frame} scale={scale} ticks={ticks} />
          <Unknown attention={attention} frame={frame} scale={scale} />
          {attention.sources.map((source, index) => (
            <Curve
              key={source}
              data-mark="look-ups"
              fill={toColour(index)}
              path={toBarsPath(attention, { index, frame, scale })}
            />
          ))}
        </PlotPane>
      </div>
    </PanesBox>
  )
}

function readAttention({ sources, columns, knownTo }: DrawnAttention, index: number): Reading[] {
  const column = columns[index] ?? null
  if (column === null) {
    return [{ name: 'Look-ups', text: knownTo === null ? 'none are read' : 'not known' }]
  }
  const bySource = sources.map((source, at) => ({
    name: toVisibleText(source),
    text: formatCount(column.bySource[at] ?? 0),
  }))
  return [{ name: 'Look-ups', text: formatCount(column.total) }, ...bySource]
}

const SHADES = [78, 42, 62, 28]
const toColour = (index: number) =>
  `color-mix(in srgb, var(--accent) ${SHADES[index % SHADES.length]}%, var(--surface))`

function toAttentionScale({ columns }: DrawnAttention) {
  const { bound, ticks } = toCountScale(columns.map((column) => column?.total ?? 0))
  const padding = { top: 6, bottom: 0 }
  const shape = { height: ATTENTION_HEIGHT, padding, showsTime: true }
  return { ticks, scale: toPaneScale({ ...shape, domain: [0, bound] }) }
}

type PaneLayout = { frame: PaneFrame; scale: PaneScale }

const GAP_FROM = 4

function toBarsPath(
  { columns }: DrawnAttention,
  { index, frame, scale }: PaneLayout & { index: number },
): string {
  return columns
    .map((column, at) => {
      const count = column?.bySource[index] ?? 0
      if (column === null || count === 0) return ''
      const below = column.bySource.slice(0, index).reduce((sum, one) => sum + one, 0)
      const [left, right] = toSides(frame, at)
      const end = right - left >= GAP_FROM ? right - 1 : right
      const [low, high] = [toY(scale, below), toY(scale, below + count)]
      return `M${round(left)} ${round(low)}H${round(end)}V${round(high)}H${round(left)}Z`
    })
    .join('')
}

const round = (value: number) => Math.round(value * 100) / 100

function toUnknown({ knownFrom, knownTo }: DrawnAttention, frame: PaneFrame): [number, number][] {
  const [begin, end] = [toX(frame, frame.span[0]), toX(frame, frame.span[1])]
  const within = (t: number) => Math.max(begin, Math.min(end, toX(frame, t)))
  if (knownFrom === null || knownTo === null) return [[begin, end]]
  const parts: [number, number][] = [
    [begin, within(knownFrom)],
    [within(knownTo), end],
  ]
  return parts.filter(([from, to]) => to - from > 1)
}

type UnknownProps = PaneLayout & { attention: DrawnAttention }

function Unknown({ attention, frame, scale }: UnknownProps) {
  const id = useId()
  return (
    <>
      <defs>
        <pattern
          height={6}
          id={id}
          patternTransform="rotate(45)"
          patternUnits="userSpaceOnUse"
          width={6}
        >
          <path d="M0 0V6" stroke="var(--line-2)" strokeWidth={2} />
        </pattern>
      </defs>
      {toUnknown(attention, frame).map(([from, to]) => (
        <rect
          key={from}
          data-mark="unknown"
          fill={`url(#${id})`}
          height={scale.low - scale.high}
          width={to - from}
          x={from}
          y={scale.high}
        />
      ))}
    </>
  )
}

const LETTER_WIDTH = 5

function UnknownText({ attention, frame, scale }: UnknownProps) {
  const text = attention.knownTo === null ? 'No look-ups are known' : 'not known yet'
  const last = toUnknown(attention, frame).at(-1)
  if (!last || last[1] - last[0] < text.length * LETTER_WIDTH) return null
  return (
    <text
      dy="0.355em"
      fill="var(--ink-2)"
      fontSize={11}
      paintOrder="stroke"
      stroke="var(--surface)"
      strokeLinejoin="round"
      strokeWidth={4}
      textAnchor="middle"
      x={toShare(frame, (last[0] + last[1]) / 2)}
      y={(scale.low + scale.high) / 2}
    >
      {text}
    </text>
  )
}
