/** The share of its draws that a random test makes in a usual run; `EFFORT=1` makes all, `EFFORT=10` ten times as many. */
const EFFORT = Number(process.env.EFFORT ?? 0.4)

/**
 * How often a random test draws that is worth `all` draws. Each run draws anew, and says its seed where it fails: what one
 * run leaves out the next ones come to.
 */
export const repeats = (all: number): number => Math.max(1, Math.ceil(all * EFFORT))
