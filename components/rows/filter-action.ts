import type { ColumnId } from '#components/columns/column-facts.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import type { RatingsView } from '#lib/contract/ratings-view.ts'
import type { Reading } from './cell-values.ts'

/** One way to filter by the value of a cell. `to` gives the view that it leads to. */
export type FilterAction = { label: string; to: (view: RatingsView) => RatingsView }

/** A row, the view it stands in, and how its reader sees values. */
export type AskedActions = { row: RatingRow; view: RatingsView; reading: Reading }

/** What a column says where its filter is taken away. */
export const ANY_OF: Record<ColumnId, string> = {
  symbol: 'Any symbol',
  user_id: 'Any user',
  id: 'Any ID',
  rating: 'Any rating',
  action: 'Any action',
  prediction: 'Any prediction',
  tally_agree: 'Any number who agree',
  tally_disagree: 'Any number who disagree',
  tally_comment: 'Any number of comments',
  created_at: 'Any time',
  expired_at: 'Any expiry',
}
