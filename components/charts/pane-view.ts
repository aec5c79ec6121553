import type { Drawing } from './drawing.ts'
import type { PaneFrame } from './pane-frame.ts'

/**
 * A drawing for one width, and the CSS class of where its texts are seen. Marks are stretched with the page, texts are
 * not: before the width is known there are some for a narrow page and some for a wide one.
 */
export type PaneView = { drawing: Drawing; className?: string }

/** At least one; the marks are those of the first. */
export type PaneViews = readonly [PaneView, ...PaneView[]]

/** Where something stands along the time axis (pixels) as a part of the plot, which holds at any width: `41.67%`. */
export const toShare = ({ left, right, width }: PaneFrame, x: number): string =>
  `${Math.round((10_000 * (x - left)) / (width - left - right)) / 100}%`
