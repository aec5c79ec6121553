import { formatDecimal } from '#components/format/numbers.ts'
import type { PaneFrame } from './chart-data.ts'
import { PRICE_COLOUR, type Priced, type PriceScale } from './price-scale.ts'
import { toY } from './scales.ts'
import { StepLine } from './shapes.tsx'

type PriceLineProps = { priced: Priced; frame: PaneFrame; ends: readonly number[] }

export const PriceLine = ({ priced: { closes, scale }, frame, ends }: PriceLineProps) => (
  <StepLine
    ends={ends}
    frame={frame}
    look={{ name: 'close', colour: PRICE_COLOUR, size: 1.25, isInk: true }}
    scale={scale.pane}
    values={closes}
  />
)

export function PriceTexts({ scale }: { scale: PriceScale }) {
  return (
    <g fill="var(--accent)" fontSize={11}>
      {scale.ticks.map((tick) => (
        <text key={tick} dx={8} dy="0.355em" x="100%" y={toY(scale.pane, tick)}>
          {formatDecimal(String(tick))}
        </text>
      ))}
    </g>
  )
}
