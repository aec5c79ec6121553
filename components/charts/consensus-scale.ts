import { toPaneScale } from './pane-scale.ts'
import { PANE_HEIGHTS } from './pane-sizes.ts'

/** The fixed scale from 1 to 5, with room for the marks on its first and last line. */
export const CONSENSUS_SCALE = toPaneScale({
  height: PANE_HEIGHTS.consensus,
  domain: [1, 5],
  padding: { top: 12, bottom: 12 },
})
