import type { CSSProperties, ReactNode } from 'react'
import { Surface } from 'recharts'
import { classNames } from '#components/ui/class-names.ts'
import type { PaneFrame } from './chart-data.ts'
import { NARROW_ONLY, RIGHT_MARGIN, TITLE_HEIGHT, WIDE_ONLY } from './chart-sizes.ts'
import type { PaneViews } from './layout.ts'
import { LegendMark, type Mark } from './panes-box.tsx'

type PlotPaneProps<D extends { frame: PaneFrame }> = {
  views: PaneViews<D>
  height: number
  axis: ReactNode
  texts?: (drawing: D) => ReactNode
  children: ReactNode
}

const PLOT = {
  left: 'var(--axis)',
  width: `calc(100% - var(--axis) - ${RIGHT_MARGIN}px)`,
} as const

/**
 * Until the width is known, the marks are stretched. Panes handle no events, so pointer movement
 * never renders them.
 */
export function PlotPane<D extends { frame: PaneFrame }>(props: PlotPaneProps<D>) {
  const { views, height, axis, texts, children } = props
  const { left, right, width } = views[0].drawing.frame
  const isStretched = views.length > 1
  return (
    <div aria-hidden className="relative" style={{ height }}>
      <Surface
        className="absolute top-0 left-(--axis) overflow-visible"
        height={height}
        role="presentation"
        width={1}
      >
        {axis}
      </Surface>
      <Surface
        className={`absolute top-0 overflow-visible ${isStretched ? '[&_path]:[vector-effect:non-scaling-stroke]' : ''}`}
        height={height}
        preserveAspectRatio="none"
        role="presentation"
        style={PLOT}
        viewBox={{ x: left, y: 0, width: width - left - right, height }}
        width="100%"
      >
        {children}
      </Surface>
      {texts && (
        // Not a `Surface`: it always has a view box, which would stretch the texts.
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

export type LegendItem = {
  mark: Mark
  label: string
  colour?: CSSProperties['color']
  isWide?: boolean
}

type PaneTitleProps = {
  title: string
  short?: string
  legend: readonly LegendItem[]
}

export function PaneTitle({ title, short, legend }: PaneTitleProps) {
  return (
    <div
      className="flex flex-wrap items-center gap-x-4 overflow-hidden pr-3 text-xs whitespace-nowrap"
      style={{ height: TITLE_HEIGHT, lineHeight: `${TITLE_HEIGHT}px`, paddingLeft: 'var(--axis)' }}
    >
      <h3 className="max-w-full truncate">
        {short === undefined ? (
          title
        ) : (
          <>
            <span className={WIDE_ONLY}>{title}</span>
            <span className={NARROW_ONLY}>{short}</span>
          </>
        )}
      </h3>
      {legend.map(({ mark, label, colour = 'var(--ink)', isWide = false }) => (
        <span
          key={label}
          className={classNames('flex items-center gap-1.5 text-ink-3', isWide && WIDE_ONLY)}
          data-legend={mark}
        >
          <LegendMark colour={colour} mark={mark} />
          {label}
        </span>
      ))}
    </div>
  )
}
