import type { ReactNode, RefObject } from 'react'
import { classNames } from '#components/ui/class-names.ts'
import { BarStack, type StackBar } from './bar-stack.tsx'
import { isWhole, type Shares, toSpanStyles } from './shares.ts'

type SpanBarsProps = {
  track: RefObject<HTMLDivElement | null>
  bars: readonly StackBar[]
  /** What the filter leaves; all of it where it is none or no span. */
  chosen: Shares
  heightPx: number
  /** Where the ends of the span show: over the bars, on a rail below them, or not at all. */
  ends?: 'lines' | 'rail'
  /** Paints over what is not chosen: the ground that the bars stand on. */
  veil?: string
  className?: string
  /** What makes the bars a filter. It comes later, and takes no room. */
  children?: ReactNode
}

/** Bars and the span of them that is chosen: all there is to see, as the server draws it. */
export function SpanBars({ track, bars, chosen, heightPx, ends, ...look }: SpanBarsProps) {
  const styles = toSpanStyles(chosen)
  const veil = `pointer-events-none absolute inset-0 ${look.veil ?? 'bg-surface/70'}`
  const window = <span data-span="window" className={WINDOW} style={styles.window} />
  return (
    <div
      ref={track}
      className={classNames('group/span relative cursor-crosshair select-none', look.className)}
    >
      <div className="relative" style={{ height: heightPx }}>
        {ends === 'lines' && window}
        <BarStack bars={bars} heightPx={heightPx} />
        <span data-span="before" className={`${veil} origin-left`} style={styles.before} />
        <span data-span="after" className={`${veil} origin-right`} style={styles.after} />
        {ends === 'lines' &&
          ENDS.map((end) => (
            <span
              key={end}
              data-span={end}
              className={classNames('span-line', isWhole(chosen) && RESTING)}
              style={styles[end]}
            />
          ))}
      </div>
      {ends === 'rail' && (
        <div data-span="rail" className="span-rail">
          <span>{window}</span>
          {ENDS.map((end) => (
            <span key={end} data-span={end} className="span-knob" style={styles[end]} />
          ))}
        </div>
      )}
      {look.children}
    </div>
  )
}

/** Nothing is chosen: an end shows when somebody looks for it. */
const RESTING = 'span-line-resting group-hover/span:opacity-60 pointer-coarse:opacity-40'

const ENDS = ['begin', 'end'] as const

const WINDOW = 'span-window pointer-events-none absolute inset-x-0 bottom-0 origin-left'
