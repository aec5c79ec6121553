import type { TimePoint } from './time-point.ts'
import type { TimeTick } from './time-ticks.ts'

export type PaneName = 'consensus' | 'prediction' | 'counts'

/** One value as a reader reads it. */
export type Reading = { name: string; text: string }

/** The exact texts of one bucket: when it was, and what each pane says of it. */
export type PointReading = { when: string } & Record<PaneName, Reading[]>

/** What the panes of one chart have in common. `span` and `ticks` are seconds since 1970, `width` pixels. */
export type PaneFrame = {
  points: readonly TimePoint[]
  bucketSeconds: number
  span: [number, number]
  ticks: readonly TimeTick[]
  width: number
  syncId: string
  describe: (index: number) => PointReading
}
