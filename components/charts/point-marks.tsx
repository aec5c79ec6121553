import { toDotsPath } from './path-text.ts'

/** Where dots stand, in pixels from the pane's corner. */
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
}

/** Dots of one colour, all in one path: hundreds of them cost one element. */
export function PointMarks({ marks, colour, isInk = false, ...look }: PointMarksProps) {
  const { size = 4.5, opacity = 1 } = look
  if (marks.length === 0) return null
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
