import { classNames } from '#components/ui/class-names.ts'
import { type Shares, toSpanStyles } from './shares.ts'
import type { SpanEnd } from './span-drag.ts'
import type { SpanEnds } from './span-model.ts'

type SpanHandleProps = {
  which: SpanEnd
  ends: SpanEnds
  chosen: Shares
  look: 'lines' | 'knobs'
}

/** An end of a span: a slider whose value is a place along the bars, in percent, and in words what stands there. */
export function SpanHandle({ which, ends, chosen, look }: SpanHandleProps) {
  const at = chosen[which]
  const [least, most] = which === 'begin' ? [0, chosen.end] : [chosen.begin, 1]
  return (
    <span
      data-span={which}
      data-knob={look === 'knobs' ? '' : undefined}
      role="slider"
      tabIndex={0}
      aria-label={ends.names[which]}
      aria-valuemin={toPercent(least)}
      aria-valuemax={toPercent(most)}
      aria-valuenow={toPercent(at)}
      aria-valuetext={ends.texts[which]}
      aria-orientation="horizontal"
      className={classNames(
        'absolute z-[1] touch-pan-y',
        look === 'knobs' ? KNOB : classNames(LINE, toReach(which, at)),
      )}
      style={toSpanStyles(chosen)[which]}
    />
  )
}

const toPercent = (share: number) => Math.round(share * 100)

/** What can be taken hold of of a line over the bars: mostly outside of the span, which may be narrow. */
const LINE =
  'inset-y-0 w-6 cursor-ew-resize outline-none after:absolute after:top-1/2 after:h-5 after:w-1.5 after:-translate-1/2 after:rounded-full after:border after:border-accent after:bg-surface after:opacity-0 group-hover/span:after:opacity-100 focus-visible:after:opacity-100 focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-accent pointer-coarse:w-8 pointer-coarse:after:opacity-100'

/** At the edge of the bars it lies all outside, so that a drag can begin at the first and the last bar. */
function toReach(which: SpanEnd, at: number): string {
  if (which === 'end') return at >= 1 ? 'after:left-0' : '-translate-x-1 after:left-1'
  return at <= 0
    ? '-translate-x-full after:left-full'
    : '-translate-x-5 after:left-5 pointer-coarse:-translate-x-7 pointer-coarse:after:left-7'
}

/** Over the knob that is seen, on the rail below the bars. */
const KNOB =
  'bottom-0 size-6 -translate-x-1/2 cursor-grab rounded-full active:cursor-grabbing focus-visible:outline-offset-[-3px]'

type SpanClearProps = { chosen: Shares; clear: () => void }

/** As a share of the narrowest track, it is wide enough for the button. */
const ROOM = 0.1

/** Stands beside the span where there is room, so that it hides no chosen bar. */
export function SpanClear({ chosen: { begin, end }, clear }: SpanClearProps) {
  const style =
    end < 1 - ROOM
      ? { left: `calc(${end * 100}% + 6px)` }
      : begin > ROOM
        ? { right: `calc(${(1 - begin) * 100}% + 6px)` }
        : { right: 6 }
  return (
    <button
      type="button"
      data-span="clear"
      title="Clear the span"
      className="absolute top-0 z-[2] size-6 cursor-pointer rounded-md bg-surface text-ink-2 opacity-0 group-hover/span:opacity-100 hover:text-ink focus-visible:opacity-100 pointer-coarse:opacity-100"
      style={style}
      onClick={clear}
    >
      <span aria-hidden>×</span>
      <span className="sr-only">Clear the span</span>
    </button>
  )
}
