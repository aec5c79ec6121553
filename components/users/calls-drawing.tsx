import { type TimeTick, toTimeTicks } from '#components/charts/time-ticks.ts'
import { actionGlyph } from '#components/rating/action-mark.tsx'
import { ratingLook } from '#components/rating/rating-mark.tsx'
import type { Extent } from '#components/symbols/ranges.ts'
import type { CallRow, PlacedCall } from './calls-layout.ts'
import { AXIS_PX, BAR_PX, BAR_TOP_PX, ROW_PX } from './calls-sizes.ts'

const TICK_PX = 86
/** The end of a call that the service dropped, apart from one that expired. */
const VANISHED_DASH = '3 2'

type CallsDrawingProps = {
  rows: readonly CallRow[]
  extent: Extent
  chosen: PlacedCall | null
  widthPx: number
}

const percent = (part: number) => `${Math.round(part * 1e4) / 1e2}%`

/** Segments in parts of the width, so that it stands before it is measured. */
export function CallsDrawing({ rows, extent, chosen, widthPx }: CallsDrawingProps) {
  const { from, to } = extent
  const height = AXIS_PX + rows.length * ROW_PX
  const ticks = toTimeTicks(from, to, Math.max(2, Math.floor(widthPx / TICK_PX)))
  return (
    <svg aria-hidden className="block w-full overflow-visible" height={height}>
      {ticks.map((tick) => (
        <Tick key={tick.at} height={height} part={(tick.at - from) / (to - from)} tick={tick} />
      ))}
      {rows.map(({ symbol }, row) => (
        <line
          key={symbol}
          className="stroke-line"
          x1="0"
          x2="100%"
          y1={AXIS_PX + (row + 1) * ROW_PX - 0.5}
          y2={AXIS_PX + (row + 1) * ROW_PX - 0.5}
        />
      ))}
      {rows.flatMap((row) =>
        row.calls.map((placed) => <Bar key={placed.call.id} placed={placed} />),
      )}
      {chosen && <Frame placed={chosen} />}
    </svg>
  )
}

function Tick({ tick, part, height }: { tick: TimeTick; part: number; height: number }) {
  const isLast = part > 0.93
  return (
    <>
      <line
        className="stroke-line"
        x1={percent(part)}
        x2={percent(part)}
        y1={AXIS_PX - 4}
        y2={height}
      />
      <text
        className="fill-ink-3 text-xs"
        dx={isLast ? -3 : 3}
        textAnchor={isLast ? 'end' : 'start'}
        x={percent(part)}
        y={11}
      >
        {tick.label}
      </text>
    </>
  )
}

function Bar({ placed }: { placed: PlacedCall }) {
  const { call, row, start, end, how, isCut, isMarked } = placed
  const top = AXIS_PX + row * ROW_PX
  const look = ratingLook(call.rating)
  const y = top + BAR_TOP_PX
  return (
    <>
      {how === 'never' ? (
        <circle
          className="fill-surface stroke-ink-2"
          cx={percent(start)}
          cy={y + BAR_PX / 2}
          r={3}
        />
      ) : (
        // Its edge parts it from the next one and keeps the shortest in sight.
        <rect
          className={look.fill}
          height={BAR_PX}
          rx={1}
          stroke="var(--surface)"
          strokeWidth={end - start > 0.004 ? 0.75 : 0}
          style={{ minWidth: 2 }}
          width={percent(Math.max(end - start, 0.0015))}
          x={percent(start)}
          y={y}
        />
      )}
      {(how === 'expired' || how === 'vanished') && end < 1 && (
        <line
          className="stroke-ink-2"
          strokeDasharray={how === 'vanished' ? VANISHED_DASH : undefined}
          strokeWidth={1.5}
          x1={percent(end)}
          x2={percent(end)}
          y1={y - 3}
          y2={y + BAR_PX + 3}
        />
      )}
      {isMarked && !isCut && (
        <text className="font-sans text-[0.625rem]" x={percent(start)} y={top + 10}>
          <tspan className="fill-ink font-semibold">{actionGlyph(call.action)}</tspan>
          <tspan
            className={RATING_FILLS[call.rating] ?? 'fill-rating-text-3'}
            dx={2}
            fontSize="0.5rem"
          >
            {look.glyph}
          </tspan>
        </text>
      )}
    </>
  )
}

const RATING_FILLS: Readonly<Record<number, string>> = {
  1: 'fill-rating-text-1',
  2: 'fill-rating-text-2',
  3: 'fill-rating-text-3',
  4: 'fill-rating-text-4',
  5: 'fill-rating-text-5',
}

/** Around the call that is read. */
function Frame({ placed: { row, start, end } }: { placed: PlacedCall }) {
  return (
    <rect
      data-unsaved
      className="fill-none stroke-accent"
      height={BAR_PX + 5}
      rx={3}
      strokeWidth={2}
      width={percent(Math.max(end - start, 0.008))}
      x={percent(start)}
      y={AXIS_PX + row * ROW_PX + BAR_TOP_PX - 2.5}
    />
  )
}
