/** What lies around the part of a pane that is drawn in, in pixels. */
export const PANE_TOP = 4
export const TIME_AXIS_HEIGHT = 24
const NO_AXIS_HEIGHT = 1

/** A pane's own scale: the two ends of its values, and where they stand, in pixels from the pane's top. */
export type PaneScale = {
  domain: readonly [number, number]
  /** Of the lowest and of the highest value. */
  low: number
  high: number
}

type PaneShape = {
  height: number
  domain: readonly [number, number]
  padding: { top: number; bottom: number }
  showsTime?: boolean
}

/** The scale of a pane of that height (pixels), with the padding that its marks need beyond its ends. */
export function toPaneScale({ height, domain, padding, showsTime = false }: PaneShape): PaneScale {
  const below = showsTime ? TIME_AXIS_HEIGHT : NO_AXIS_HEIGHT
  return {
    domain,
    low: height - below - padding.bottom,
    high: PANE_TOP + padding.top,
  }
}

/** Where a value stands, in pixels from the pane's top. */
export function toY({ domain: [from, to], low, high }: PaneScale, value: number): number {
  return low + ((value - from) / (to - from)) * (high - low)
}
