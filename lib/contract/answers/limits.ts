/*
 * What answers, queries and pages agree on in figures. Pages draw by them before an answer has come, so that no schema
 * stands in this module.
 */

/** How many instants a league table's sparkline has, and how far apart they are: the last is `as_of`. */
export const SPARK_POINTS = 27
export const SPARK_STEP_SECONDS = 14 * 86_400

/** From so many active ratings on a consensus is drawn, or compared with an earlier one. */
export const CONSENSUS_MIN = 3

/** Over so many days it is said why a consensus moved. */
export const CAUSE_DAYS = 90

/** How many imagined opinions that did not move stand beside those that did, where changes are ranked. */
export const UNMOVED = 5

/** How many lines each list of the overview has at most. */
export const OVERVIEW_LINES = 5

/** How far back (seconds) the overview looks, and how far ahead (days) it looks for ratings that expire. */
export const OVERVIEW_SECONDS = 7 * 86_400
export const OVERVIEW_CLIFF_DAYS = 30

/** How many symbols and how many ratings of a user are drawn, the latest first. */
export const USER_SYMBOLS_DRAWN_MAX = 40
export const USER_RATINGS_MAX = 1000

/** A year of activity: so many weeks of 7 × 24 hours, the last of which ends with the instant that was asked for. */
export const ACTIVITY_WEEKS = 52
export const ACTIVITY_WEEK_SECONDS = 7 * 86_400

/** So many days after a rating was posted it is held against what the others say by then. */
export const LATER_DAYS = 30

/** With fewer judged ratings nobody is compared, and with fewer others than this a share of them says too little. */
export const JUDGED_LEAST = 4
export const PEERS_LEAST = 30

/** The fewest separate calls for a rank and a verdict. */
export const RANKED_LEAST = 5
