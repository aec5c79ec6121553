'use client'

import { useXAxisScale, useYAxisScale } from 'recharts'

type CountBarsProps = {
  bars: readonly { t: number; count: number }[]
  /** What the axis spans and what a bucket does, in seconds. */
  span: readonly [number, number]
  bucketSeconds: number
  /** A CSS colour. */
  colour: string
}

const WIDEST = 14
const FILLED = 0.72

/** Bars around their instants, all in one path: a bar a day over ten years is still one element. */
export function CountBars({ bars, span, bucketSeconds, colour }: CountBarsProps) {
  const toX = useXAxisScale()
  const toY = useYAxisScale()
  if (!toX || !toY) return null
  const width = (toX(span[1]) ?? 0) - (toX(span[0]) ?? 0)
  const bucketWidth = (width * bucketSeconds) / (span[1] - span[0])
  const floor = toY(0) ?? 0
  const path = bars
    .filter((bar) => bar.count > 0)
    .map((bar) => `M${(toX(bar.t) ?? 0).toFixed(1)} ${floor}V${(toY(bar.count) ?? 0).toFixed(1)}`)
    .join('')
  return (
    <path
      className="forced-colors:[stroke:CanvasText]"
      d={path}
      stroke={colour}
      strokeWidth={Math.max(1, Math.min(WIDEST, bucketWidth * FILLED))}
    />
  )
}
