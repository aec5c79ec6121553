/* No schemas here: pages load these limits before the first answer. */

export const SPARK_POINTS = 27
export const SPARK_STEP_SECONDS = 14 * 86_400

export const CONSENSUS_MIN = 3

export const CAUSE_DAYS = 90

export const UNMOVED = 5

export const USER_SYMBOLS_DRAWN_MAX = 40
export const USER_RATINGS_MAX = 1000

export const RANKED_LEAST = 5

/** Cells of the map of symbols. */
export const MAP_SYMBOLS_MAX = 500
