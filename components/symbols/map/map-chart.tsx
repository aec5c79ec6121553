'use client'

import { useRouter } from 'next/navigation'
import { type KeyboardEvent, type MouseEvent, memo, useMemo, useState } from 'react'
import { Treemap } from 'recharts'
import { useWidth } from '#components/charts/use-width.ts'
import { ratingStyle } from '#components/marks/rating-marks.tsx'
import { useAsOfHref } from '#components/time/as-of.tsx'
import type { MapCell } from '#lib/contract/answers/symbols.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { toSymbolHref } from '#lib/contract/page-addresses.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import {
  type Rect,
  toBelowHeading,
  toCellReading,
  toCellValue,
  toGroups,
  toNeighbor,
  toStep,
} from './map-cells.ts'
import type { MapColor } from './map-view.ts'

type MapChartProps = {
  cells: readonly MapCell[]
  color: MapColor
  days: string
  name: string
  /** Pixels. */
  height: number
  onRead: (cell: MapCell | null) => void
}

type NestedRect = Rect & { depth: number }

const HEADING_PX = 18
const HEADING_LEAST_PX = 60
const GAP_PX = 2
const RATIO = 1.3

/** One tab stop; arrow keys move, Enter opens. */
export const MapChart = memo(function MapChart(props: MapChartProps) {
  const { cells, color, days, name, height, onRead } = props
  const [ref, width] = useWidth()
  const router = useRouter()
  const withAsOf = useAsOfHref()
  const [current, setCurrent] = useState(cells[0]?.symbol)
  const data = useMemo(() => toData(cells), [cells])
  const known = useMemo(() => new Map(cells.map((cell) => [cell.symbol, cell])), [cells])
  const stop = current !== undefined && known.has(current) ? current : cells[0]?.symbol

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const links = [...event.currentTarget.querySelectorAll<SVGAElement>('[data-cell]')]
    const from = links.findIndex((link) => link.matches(':focus'))
    const next = toNeighbor(
      links.map((link) => link.getBoundingClientRect()),
      from,
      event.key,
    )
    if (next === null) return
    event.preventDefault()
    links[next]?.focus()
  }
  const toLink = (cell: MapCell) => ({
    href: withBase(withAsOf(toSymbolHref(cell.symbol))),
    'data-cell': true,
    'aria-label': toCellReading(cell, days),
    tabIndex: cell.symbol === stop ? 0 : -1,
    onClick: (event: MouseEvent) => {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
      event.preventDefault()
      router.push(withAsOf(toSymbolHref(cell.symbol)))
    },
    onFocus: () => {
      setCurrent(cell.symbol)
      onRead(cell)
    },
    onPointerEnter: () => onRead(cell),
  })
  const draw = (cell: MapCell, rect: Rect) => (
    <a key={cell.symbol} {...toLink(cell)}>
      <Cell cell={cell} color={color} rect={rect} value={toCellValue(cell, color)} />
    </a>
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move among the links within
    <div
      ref={ref}
      className="min-w-0"
      data-pane
      onKeyDown={onKeyDown}
      onPointerLeave={() => onRead(null)}
      style={{ height }}
    >
      {width > 0 && (
        <Treemap
          aria-label={name}
          aspectRatio={RATIO}
          content={(node: NestedRect & Drawn) => toContent(node, draw)}
          data={data}
          dataKey="active"
          height={height}
          isAnimationActive={false}
          nameKey="key"
          nodeGap={GAP_PX}
          width={width}
        />
      )}
    </div>
  )
})

/** Named by their index: names of sectors and symbols may be equal. */
type Drawn = { cell?: MapCell; heading?: string; children?: readonly (Rect & Drawn)[] | null }

const toLeaf = (cell: MapCell) => ({ key: `symbol ${cell.symbol}`, active: cell.active, cell })

function toData(cells: readonly MapCell[]) {
  const groups = toGroups(cells)
  if (groups === null) return cells.map(toLeaf)
  return groups.map(({ sector, children }) => ({
    key: `sector ${sector}`,
    heading: sector === null ? 'No sector' : toVisibleText(sector),
    children: children.map(toLeaf),
  }))
}

type Draw = (cell: MapCell, rect: Rect) => React.ReactElement

/** A group draws its cells, because they make room for its heading. */
function toContent(node: NestedRect & Drawn, draw: Draw): React.ReactElement {
  const { cell, heading, children, depth } = node
  if (depth !== 1) return <g />
  if (cell) return draw(cell, node)
  const headingPx = node.height < HEADING_LEAST_PX ? 0 : HEADING_PX
  return (
    <g>
      {headingPx > 0 && (
        <ClippedText
          className="map-heading"
          of={heading ?? ''}
          width={node.width}
          x={node.x + 2}
          y={node.y + 13}
        />
      )}
      {children?.map(
        (child) => child.cell && draw(child.cell, toBelowHeading(child, node, headingPx)),
      )}
    </g>
  )
}

const LETTER_PX = 7.5
const LINE_PX = 15
const PADDING_PX = 8

type ClippedTextProps = { of: string; width: number; x: number; y: number; className: string }

function ClippedText({ of, width, x, y, className }: ClippedTextProps) {
  const most = Math.floor((width - PADDING_PX) / LETTER_PX)
  if (most < 2) return null
  return (
    <text className={className} x={x} y={y}>
      {of.length <= most ? of : `${of.slice(0, most - 1)}…`}
    </text>
  )
}

type CellProps = { cell: MapCell; color: MapColor; rect: Rect; value: string }

function Cell({ cell, color, rect: { x, y, width, height }, value }: CellProps) {
  const step = toStep(cell, color)
  const symbol = toVisibleText(cell.symbol)
  const text = `${step === null ? '' : `${ratingStyle(step).glyph} `}${value}`
  const fits = (words: string, lines: number) =>
    words.length * LETTER_PX + PADDING_PX <= width && lines * LINE_PX + 4 <= height
  const lines = fits(symbol, 1) ? (fits(text, 2) ? 2 : 1) : 0
  const middle = { x: x + width / 2, textAnchor: 'middle' as const }
  const top = y + height / 2 + (lines === 2 ? -3 : 4)
  const box = { x, y, width: Math.max(0, width), height: Math.max(0, height) }
  return (
    <>
      <rect className="map-ground" {...box} />
      <rect
        className={`map-cell rating-fill-${step ?? 'none'}`}
        data-step={step ?? 'none'}
        {...box}
      />
      {lines > 0 && (
        <text className="map-symbol" {...middle} y={top}>
          {symbol}
        </text>
      )}
      {lines > 1 && (
        <text className="map-value" {...middle} y={top + LINE_PX}>
          {text}
        </text>
      )}
    </>
  )
}
