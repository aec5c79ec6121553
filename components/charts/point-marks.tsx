'use client'

import { useXAxisScale, useYAxisScale } from 'recharts'

export type PointMark = { t: number; value: number }

type PointMarksProps = {
  marks: readonly PointMark[]
  /** A CSS colour. */
  colour: string
  /** In pixels. */
  size?: number
  /** Dots, or a triangle towards the edge that a value lies beyond. */
  shape?: 'dot' | 'above' | 'below'
}

/** Marks at points of a pane, all of one colour in one path: hundreds of them cost one element. */
export function PointMarks({ marks, colour, size = 4.5, shape = 'dot' }: PointMarksProps) {
  const toX = useXAxisScale()
  const toY = useYAxisScale()
  if (!toX || !toY || marks.length === 0) return null
  const path = marks
    .map((mark) => toPath(toX(mark.t) ?? 0, toY(mark.value) ?? 0, { shape, size }))
    .join('')
  if (shape !== 'dot') return <path d={path} fill={colour} />
  return (
    <path
      className="forced-colors:[stroke:CanvasText]"
      d={path}
      fill="none"
      stroke={colour}
      strokeLinecap="round"
      strokeWidth={size}
    />
  )
}

type Look = Required<Pick<PointMarksProps, 'shape' | 'size'>>

function toPath(x: number, y: number, { shape, size }: Look): string {
  const at = `M${x.toFixed(1)} ${y.toFixed(1)}`
  if (shape === 'dot') return `${at}h0`
  const rise = shape === 'above' ? size : -size
  return `${at}l${size} ${rise}h${-2 * size}z`
}
