/** Percent in either direction, inclusive. */
export const EXTREME_PERCENT = 100

export const FLIP_SECONDS = 86_400
