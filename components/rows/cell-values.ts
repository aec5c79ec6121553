import { COLUMN_FACTS, type ColumnId } from '#components/columns/column-facts.ts'
import { toZonedDay, toZonedText } from '#components/format/instants.ts'
import type { Formats } from '#components/format/numbers.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'

/** How the reader sees values: numbers in his language, times in his zone. */
export type Reading = { formats: Formats; zone: string }

/** The word for an expiry that no time brings. The archive takes 0 for none too. */
export const NO_EXPIRY = 'no expiry'

/** The value of a cell in words that stand alone: `AAPL`, `user 12`, `16 agree`. Of instants the day. */
export function toCellWords(row: RatingRow, column: ColumnId, { formats, zone }: Reading): string {
  const tally = (word: string) => `${formats.formatCount(Number(row[column]))} ${word}`
  switch (column) {
    case 'symbol':
      return row.symbol
    case 'user_id':
      return `user ${row.user_id}`
    case 'id':
      return `rating ${row.id}`
    case 'rating':
      return row.rating_label
    case 'action':
      return row.action_label
    case 'prediction':
      return formats.formatPrediction(row.prediction)
    case 'tally_agree':
      return tally('agree')
    case 'tally_disagree':
      return tally('disagree')
    case 'tally_comment':
      return tally(row.tally_comment === 1 ? 'comment' : 'comments')
    case 'created_at':
      return toZonedDay(row.created_at, zone)
    case 'expired_at':
      return row.expired_at ? toZonedDay(row.expired_at, zone) : NO_EXPIRY
  }
}

/** The value of a cell as it is carried elsewhere: labels, plain numbers, times to the second in the reader's zone. */
export function toCopiedValue(row: RatingRow, column: ColumnId, zone: string): string {
  switch (column) {
    case 'rating':
      return row.rating_label
    case 'action':
      return row.action_label
    case 'created_at':
      return toZonedText(row.created_at, zone, 'second')
    case 'expired_at':
      return row.expired_at ? toZonedText(row.expired_at, zone, 'second') : ''
    default:
      return String(row[column])
  }
}

/** The name of a column where its values are carried elsewhere: instants say their zone. */
export const toCopiedHeader = (column: ColumnId, zone: string): string =>
  column === 'created_at' || column === 'expired_at'
    ? `${COLUMN_FACTS[column].label} (${zone})`
    : COLUMN_FACTS[column].label
