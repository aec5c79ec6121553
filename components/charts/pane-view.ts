import type { Drawing } from './drawing.ts'
import type { PaneFrame } from './pane-frame.ts'
import { NARROW_ONLY, NARROW_WIDTH, WIDE_ONLY, WIDE_WIDTH } from './pane-sizes.ts'

/** What panes are drawn from: at least where its instants stand. */
type Framed = { frame: PaneFrame }

/**
 * A drawing for one width, and the CSS class of where its texts are seen. Marks are stretched with the page, texts are
 * not: before the width is known there are some for a narrow page and some for a wide one.
 */
export type PaneView<D extends Framed = Drawing> = { drawing: D; className?: string }

/** At least one; the marks are those of the first. */
export type PaneViews<D extends Framed = Drawing> = readonly [PaneView<D>, ...PaneView<D>[]]

/** The drawing for a width; before it is known (0), one for the marks of any, and texts for a narrow and a wide one. */
export function toPaneViews<D extends Framed>(
  width: number,
  draw: (width: number) => D,
): PaneViews<D> {
  if (width > 0) return [{ drawing: draw(width) }]
  return [
    { drawing: draw(WIDE_WIDTH), className: WIDE_ONLY },
    { drawing: draw(NARROW_WIDTH), className: NARROW_ONLY },
  ]
}

/** Where something stands along the time axis (pixels) as a part of the plot, which holds at any width: `41.67%`. */
export const toShare = ({ left, right, width }: PaneFrame, x: number): string =>
  `${Math.round((10_000 * (x - left)) / (width - left - right)) / 100}%`
