/** What is known of a column without drawing it. */
type ColumnFact = {
  label: string
  /** The width that a reader finds: what its values need. A wider table shares what is left in proportion. */
  widthPx: number
  isNumeric?: boolean
}

/**
 * The columns of the ratings table, in the order a newcomer finds; their names are those of the fields they sort by. All
 * of them fit beside the filters from 1280 px on, a scroll bar included.
 */
export const COLUMN_FACTS = {
  symbol: { label: 'Symbol', widthPx: 62 },
  user_id: { label: 'User', widthPx: 52, isNumeric: true },
  rating: { label: 'Rating', widthPx: 202 },
  action: { label: 'Action', widthPx: 107 },
  prediction: { label: 'Prediction', widthPx: 130, isNumeric: true },
  tally_agree: { label: 'Agree', widthPx: 64, isNumeric: true },
  tally_disagree: { label: 'Disagree', widthPx: 60, isNumeric: true },
  tally_comment: { label: 'Comments', widthPx: 72, isNumeric: true },
  created_at: { label: 'Created', widthPx: 124 },
  expired_at: { label: 'Expires', widthPx: 68, isNumeric: true },
  id: { label: 'ID', widthPx: 72, isNumeric: true },
} as const satisfies Record<string, ColumnFact>

export type ColumnId = keyof typeof COLUMN_FACTS

/** Their names, in the order a newcomer finds. */
export const COLUMN_IDS = Object.keys(COLUMN_FACTS).filter(isColumnId)

export function isColumnId(name: string): name is ColumnId {
  return Object.hasOwn(COLUMN_FACTS, name)
}

/** The known ones among some names, each once, in the order given. */
export const knownColumns = (names: readonly unknown[]): ColumnId[] => [
  ...new Set(names.filter((name) => typeof name === 'string').filter(isColumnId)),
]
