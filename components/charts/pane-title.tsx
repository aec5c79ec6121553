import type { CSSProperties } from 'react'
import { classNames } from '#components/ui/class-names.ts'
import { LegendMark, type Mark } from './legend-mark.tsx'
import { NARROW_ONLY, TITLE_HEIGHT, WIDE_ONLY } from './pane-sizes.ts'

export type LegendItem = {
  mark: Mark
  label: string
  /** Said behind the label where there is room: `, to 2027-02-20`. */
  more?: string
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
      {legend.map(({ mark, label, more, colour = 'var(--ink)', isWide = false }) => (
        <span
          key={label}
          className={classNames('flex items-center gap-1.5 text-ink-3', isWide && WIDE_ONLY)}
          data-legend={mark}
        >
          <LegendMark colour={colour} mark={mark} />
          <span>
            {label}
            {more && <span className={WIDE_ONLY}>{more}</span>}
          </span>
        </span>
      ))}
    </div>
  )
}
