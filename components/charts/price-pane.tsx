import { memo } from 'react'
import { Curve } from 'recharts'
import { useFormats } from '#components/format/use-formats.tsx'
import { GridLines, Landmarks, ValueTexts } from './axes.tsx'
import type { PriceLine } from './chart-data.ts'
import { PANE_HEIGHTS } from './chart-sizes.ts'
import type { PaneViews } from './layout.ts'
import { PaneTitle, PlotPane } from './pane.tsx'
import { toTrianglesPath } from './paths.ts'
import { type PriceScale, toPriceY } from './price-scale.ts'
import { StepLine } from './shapes.tsx'
import { toSides } from './time-axis.ts'

type PricePaneProps = { views: PaneViews; price: PriceLine; scale: PriceScale; bucket: string }

/** A symbol's closes as steps, with the buckets that ratings were raised or lowered in. */
export const PricePane = memo(function PricePane({ views, price, scale, bucket }: PricePaneProps) {
  const { formatDecimal } = useFormats()
  const { frame, ends, landmarks } = views[0].drawing
  const { pane, ticks } = scale
  const values = price.closes.map((close) => (close === null ? null : scale.toValue(close)))
  const isEmpty = values.every((value) => value === null)
  const triangles = { views, price, scale }
  return (
    <div data-pane="price">
      <PaneTitle
        legend={[
          { mark: 'line', label: 'close', isWide: true },
          { mark: 'block', label: `▲ upgraded that ${bucket}`, colour: UP, isWide: true },
          { mark: 'block', label: '▼ downgraded', colour: DOWN, isWide: true },
        ]}
        short="Price"
        title={`Price, last close of each ${bucket}${price.isLog ? ', logarithmic' : ''}`}
      />
      {isEmpty ? (
        <p
          className="pt-2 text-ink-2"
          style={{ height: PANE_HEIGHTS.price, paddingLeft: 'var(--axis)' }}
        >
          There is no close in this range.
        </p>
      ) : (
        <PlotPane
          axis={
            <ValueTexts
              format={(tick) => formatDecimal(String(scale.toPrice(tick)))}
              scale={pane}
              ticks={ticks}
            />
          }
          height={PANE_HEIGHTS.price}
          views={views}
        >
          <GridLines frame={frame} scale={pane} ticks={ticks} />
          <Landmarks {...landmarks} bottom={PANE_HEIGHTS.price} top={0} />
          <StepLine
            ends={ends}
            frame={frame}
            look={{ name: 'close', colour: 'var(--ink)', size: 1.5, isInk: true }}
            scale={pane}
            values={values}
          />
          <Triangles {...triangles} columns={price.downgraded} direction="down" />
          <Triangles {...triangles} columns={price.upgraded} direction="up" />
        </PlotPane>
      )}
    </div>
  )
})

const UP = 'var(--rating-5)'
const DOWN = 'var(--rating-2)'
/** In pixels: how high a triangle is, and how far it stands off the line. */
const HEIGHT = 8
const OFF = 6

type TrianglesProps = Omit<PricePaneProps, 'bucket'> & {
  columns: readonly number[]
  direction: 'up' | 'down'
}

/** Upgrades below the line, downgrades above it: a place and a shape for whoever sees no colours. All in one path. */
function Triangles({ views, price, scale, columns, direction }: TrianglesProps) {
  const { frame } = views[0].drawing
  const away = direction === 'up' ? 1 : -1
  const tips = columns.flatMap((column) => {
    const y = toPriceY(scale, price.closes[column] ?? null)
    if (y === null) return []
    const [from, to] = toSides(frame, column)
    return [{ x: (from + to) / 2, y: y + away * OFF }]
  })
  if (tips.length === 0) return null
  const path = toTrianglesPath(tips, away * HEIGHT)
  return <Curve data-mark={direction} fill={direction === 'up' ? UP : DOWN} path={path} />
}
