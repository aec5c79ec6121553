import type { CSSProperties, ReactNode, RefObject } from 'react'
import { Surface } from 'recharts'
import { classNames } from '#components/ui/class-names.ts'
import type { PaneFrame } from './chart-data.ts'
import { NARROW_ONLY, RIGHT_MARGIN, TITLE_HEIGHT, WIDE_ONLY } from './chart-sizes.ts'
import type { PaneViews } from './layout.ts'

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

type PanesBoxProps = {
  box: RefObject<HTMLDivElement | null>
  /** Pixels; 0 until known. */
  width: number
  height: number
  children: ReactNode
  reader: ReactNode
}

/** Sets `--axis` to the values of `toAxisWidth`. */
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

export type Mark = 'line' | 'dashes' | 'dots' | 'faint' | 'dot' | 'block'

type LegendMarkProps = { mark: Mark; colour?: CSSProperties['color'] }

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
