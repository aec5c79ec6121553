import type { Annotation } from './annotations.ts'
import type { PaneFrame } from './pane-frame.ts'
import { toShare } from './pane-view.ts'

type LandmarksProps = {
  /** Instants that something happened at, in pixels from the drawing's left. */
  moves: readonly number[]
  /** Where what was ends and what is to come begins; null where nothing of that is drawn. */
  now: number | null
  /** From where to where the hairlines go, in pixels from the pane's top. */
  top: number
  bottom: number
}

/** The instants that all panes mark: dotted hairlines for large moves, a solid one for now. */
export function Landmarks({ moves, now, top, bottom }: LandmarksProps) {
  return (
    <>
      {moves.length > 0 && (
        <path
          className="forced-colors:[stroke:CanvasText]"
          d={moves.map((x) => `M${Math.round(x) + 0.5} ${top}V${bottom}`).join('')}
          stroke="var(--edge)"
          strokeDasharray="1.5 3"
        />
      )}
      {now !== null && (
        <path
          className="forced-colors:[stroke:CanvasText]"
          d={`M${Math.round(now) + 0.5} ${top}V${bottom}`}
          stroke="var(--edge)"
        />
      )}
    </>
  )
}

type AnnotationLabelsProps = { annotations: readonly Annotation[]; frame: PaneFrame }

/** What happened at the hairlines, each text on ground of its own. Stands by parts of the plot. */
export function AnnotationLabels({ annotations, frame }: AnnotationLabelsProps) {
  return (
    <g fontSize={11} textAnchor="middle">
      {annotations.map(({ text, x, left, width, y }) => (
        // From the instant's place, the box is moved by pixels.
        <g key={`${text} ${left}`} transform={`translate(${left - x})`}>
          <rect
            className="forced-colors:[fill:Canvas] forced-colors:[stroke:CanvasText]"
            fill="var(--surface)"
            height={16}
            rx={5}
            stroke="var(--line-2)"
            width={width}
            x={toShare(frame, x)}
            y={y - 8}
          />
          <text dx={width / 2} dy="0.355em" fill="var(--ink-2)" x={toShare(frame, x)} y={y}>
            {text}
          </text>
        </g>
      ))}
    </g>
  )
}

/** Of a letter, 10 px high; and what stays free beside the word. */
const LETTER_WIDTH = 5.5
const EDGE_GAP = 5

type EdgeLabelProps = { text: string; frame: PaneFrame; x: number; y: number }

/** The word at the hairline between what was and what is to come: on that side, or before it where there is no room. */
export function EdgeLabel({ text, frame, x, y }: EdgeLabelProps) {
  const isBefore = x + EDGE_GAP + text.length * LETTER_WIDTH > frame.width
  return (
    <text
      dx={isBefore ? -EDGE_GAP : EDGE_GAP}
      fill="var(--ink-2)"
      fontSize={10}
      paintOrder="stroke"
      stroke="var(--surface)"
      strokeLinejoin="round"
      strokeWidth={3}
      textAnchor={isBefore ? 'end' : 'start'}
      x={toShare(frame, x)}
      y={y}
    >
      {text}
    </text>
  )
}
