import type { CSSProperties, ReactNode, RefObject } from 'react'
import { Surface } from 'recharts'
import { classNames } from '#components/ui/class-names.ts'
import type { PaneFrame } from './chart-data.ts'
import { NARROW_ONLY, RIGHT_MARGIN, TITLE_HEIGHT, WIDE_ONLY } from './chart-sizes.ts'
import type { PaneViews } from './layout.ts'

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
        // A surface has a view box always, and parts of it would be stretched with it.
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

type PanesBoxProps = {
  /** What the width is measured of. */
  box: RefObject<HTMLDivElement | null>
  /** In pixels; 0 before it is known. */
  width: number
  height: number
  /** The panes. */
  children: ReactNode
  /** What takes pointer and keys over all of them, once the width is known. */
  reader: ReactNode
}

/** The place of panes that share a time axis: they fill it while its width is not known. Sets `--axis`. */
export const PanesBox = ({ box, width, height, children, reader }: PanesBoxProps) => (
  <div ref={box} className="@container relative min-w-0 overflow-hidden" style={{ height }}>
    <div
      className="[--axis:112px] @max-[640px]:[--axis:48px]"
      style={width > 0 ? { width } : undefined}
    >
      {children}
    </div>
    {width > 0 && reader}
  </div>
)

export type LegendItem = {
  mark: Mark
  label: string
  colour?: CSSProperties['color']
  /** Left out where there is little room. */
  isWide?: boolean
}

type PaneTitleProps = {
  title: string
  /** What it is called where there is little room. */
  short?: string
  /** The most important first: what finds no room in the line is left out. */
  legend: readonly LegendItem[]
}

/** A pane's title with the marks that it is drawn in; one line, of one height, which begins where the plot does. */
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

export type Mark = 'line' | 'dashes' | 'dots' | 'faint' | 'dot' | 'block'

type LegendMarkProps = { mark: Mark; colour?: CSSProperties['color'] }

/** A piece of what something is drawn in, beside its name. */
export const LegendMark = ({ mark, colour = 'var(--ink)' }: LegendMarkProps) => (
  <span
    aria-hidden
    className={classNames('shrink-0 forced-color-adjust-none', MARK_CLASSES[mark])}
    style={{ color: colour }}
  />
)

const MARK_CLASSES: Readonly<Record<Mark, string>> = {
  line: 'w-4 border-t-2 border-current',
  dashes: 'w-4 border-t-2 border-dashed border-current',
  dots: 'w-4 border-t-2 border-dotted border-current',
  faint: 'w-4 border-t border-current opacity-60',
  dot: 'size-1.5 rounded-full bg-current',
  block: 'h-2.5 w-2 bg-current',
}
