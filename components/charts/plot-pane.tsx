import type { ReactNode } from 'react'
import type { PaneFrame } from './pane-frame.ts'
import { RIGHT_MARGIN } from './pane-sizes.ts'
import type { PaneViews } from './pane-view.ts'

type PlotPaneProps<D extends { frame: PaneFrame }> = {
  views: PaneViews<D>
  height: number
  /** The texts of the pane's own axis; 0 is where the plot begins. */
  axis: ReactNode
  /** What is written over the marks; where it stands along the time axis in parts of the plot. */
  texts?: (drawing: D) => ReactNode
  /** The marks, in pixels of the first view. */
  children: ReactNode
}

const PLOT = {
  left: 'var(--axis)',
  width: `calc(100% - var(--axis) - ${RIGHT_MARGIN}px)`,
} as const

/**
 * One pane: its axis, its marks and their texts, each a drawing of its own, so that it stands before its width is known:
 * the marks are stretched then. It answers to nothing: pointer and keys are the business of the overlay that lies over
 * all panes, so no movement draws a pane anew.
 */
export function PlotPane<D extends { frame: PaneFrame }>(props: PlotPaneProps<D>) {
  const { views, height, axis, texts, children } = props
  const { left, right, width } = views[0].drawing.frame
  const isStretched = views.length > 1
  return (
    <div aria-hidden className="relative" style={{ height }}>
      <svg
        className="absolute top-0 left-(--axis) overflow-visible"
        height={height}
        role="presentation"
        width={1}
      >
        {axis}
      </svg>
      <svg
        className={`absolute top-0 overflow-visible ${isStretched ? '[&_path]:[vector-effect:non-scaling-stroke]' : ''}`}
        height={height}
        preserveAspectRatio="none"
        role="presentation"
        style={PLOT}
        viewBox={`${left} 0 ${width - left - right} ${height}`}
      >
        {children}
      </svg>
      {texts && (
        <svg
          className="absolute top-0 overflow-visible"
          height={height}
          role="presentation"
          style={PLOT}
        >
          {views.map(({ drawing, className }) => (
            <g key={drawing.frame.width} className={className}>
              {texts(drawing)}
            </g>
          ))}
        </svg>
      )}
    </div>
  )
}
