import { toDotsPath } from './path-text.ts'

/** Where marks stand, in pixels from the pane's corner. */
export type PointMark = { x: number; y: number }

type PointMarksProps = {
  marks: readonly PointMark[]
  /** A CSS colour. */
  colour: string
  /** Ink becomes the reader's own text colour where he has set one; ratings keep theirs. */
  isInk?: boolean
  /** In pixels. */
  size?: number
  opacity?: number
  /** Dots, or a triangle towards the edge that a value lies beyond. */
  shape?: 'dot' | 'above' | 'below'
}

/** Marks of one colour, all in one path: hundreds of them cost one element. */
export function PointMarks({ marks, colour, isInk = false, ...look }: PointMarksProps) {
  const { size = 4.5, opacity = 1, shape = 'dot' } = look
  if (marks.length === 0) return null
  if (shape !== 'dot') {
    const path = toTriangles(marks, shape, size)
    return <path className="forced-colors:[fill:CanvasText]" d={path} fill={colour} />
  }
  return (
    <path
      className={isInk ? 'forced-colors:[stroke:CanvasText]' : undefined}
      d={toDotsPath(marks)}
      fill="none"
      opacity={opacity}
      stroke={colour}
      strokeLinecap="round"
      strokeWidth={size}
    />
  )
}

function toTriangles(marks: readonly PointMark[], shape: 'above' | 'below', size: number): string {
  const rise = shape === 'above' ? size : -size
  return marks
    .map(({ x, y }) => `M${x.toFixed(1)} ${y.toFixed(1)}l${size} ${rise}h${-2 * size}z`)
    .join('')
}
