import {
  createColumnHelper,
  metaHelper,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table'
import { ZonedAnchor, ZonedLink } from '#components/address/outlook.tsx'
import { COLUMN_FACTS, type ColumnId } from '#components/columns/column-facts.ts'
import { ActionMark, PredictionChange, RatingChange } from '#components/marks/rating-marks.tsx'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { CreatedAt, ExpiresAt } from './time-cells.tsx'
import { AgreeCell, Tally } from './votes-cell.tsx'

type ColumnMeta = { label: string; isNumeric?: boolean }

export const features = tableFeatures({
  rowSortingFeature,
  columnMeta: metaHelper<ColumnMeta>(),
  /** `asOf` is the instant of the answer, seconds since 1970: what ago and ahead are counted from. */
  tableMeta: metaHelper<{ asOf: number }>(),
})

const LINK = 'hover:underline -outline-offset-1'

const helper = createColumnHelper<typeof features, RatingRow>()

/** The columns of the table; their ids are what the query sorts by. Links are reached by Tab from the row at hand. */
const COLUMNS = {
  id: helper.accessor('id', {
    meta: COLUMN_FACTS.id,
    sortDescFirst: true,
    cell: ({ row }) => (
      <ZonedAnchor
        tabIndex={-1}
        data-open
        className={`${LINK} text-ink-3`}
        href={`/ratings/${row.original.id}`}
      >
        {row.original.id}
      </ZonedAnchor>
    ),
  }),
  user_id: helper.accessor('user_id', {
    meta: COLUMN_FACTS.user_id,
    sortDescFirst: false,
    cell: ({ row }) => (
      <ZonedLink
        tabIndex={-1}
        prefetch={false}
        className={LINK}
        href={`/users/${row.original.user_id}`}
      >
        {row.original.user_id}
      </ZonedLink>
    ),
  }),
  symbol: helper.accessor('symbol', {
    meta: COLUMN_FACTS.symbol,
    sortDescFirst: false,
    cell: ({ row }) => (
      <ZonedLink
        tabIndex={-1}
        prefetch={false}
        className={`${LINK} font-semibold`}
        href={`/symbols/${encodeURIComponent(toSymbolKey(row.original.symbol))}`}
      >
        {row.original.symbol}
      </ZonedLink>
    ),
  }),
  rating: helper.accessor('rating', {
    meta: COLUMN_FACTS.rating,
    sortDescFirst: true,
    cell: ({ row: { original } }) => (
      <RatingChange
        previousCode={original.previous_rating}
        code={original.rating}
        label={original.rating_label}
      />
    ),
  }),
  action: helper.accessor('action', {
    meta: COLUMN_FACTS.action,
    sortDescFirst: false,
    cell: ({ row: { original } }) => (
      <ActionMark code={original.action} label={original.action_label} />
    ),
  }),
  prediction: helper.accessor('prediction', {
    meta: COLUMN_FACTS.prediction,
    sortDescFirst: true,
    cell: ({ row: { original } }) => (
      <PredictionChange previous={original.previous_prediction} prediction={original.prediction} />
    ),
  }),
  tally_agree: helper.accessor('tally_agree', {
    meta: COLUMN_FACTS.tally_agree,
    sortDescFirst: true,
    cell: ({ row: { original } }) => (
      <AgreeCell agree={original.tally_agree} disagree={original.tally_disagree} />
    ),
  }),
  tally_disagree: helper.accessor('tally_disagree', {
    meta: COLUMN_FACTS.tally_disagree,
    sortDescFirst: true,
    cell: ({ row }) => <Tally count={row.original.tally_disagree} />,
  }),
  tally_comment: helper.accessor('tally_comment', {
    meta: COLUMN_FACTS.tally_comment,
    sortDescFirst: true,
    cell: ({ row }) => <Tally count={row.original.tally_comment} />,
  }),
  created_at: helper.accessor('created_at', {
    meta: COLUMN_FACTS.created_at,
    sortDescFirst: true,
    cell: ({ row }) => <CreatedAt seconds={row.original.created_at} />,
  }),
  expired_at: helper.accessor('expired_at', {
    meta: COLUMN_FACTS.expired_at,
    sortDescFirst: false,
    cell: ({ row, table }) => <ExpiresAt row={row.original} asOf={table.options.meta?.asOf ?? 0} />,
  }),
}

/**
 * Columns by their ids, in that order. The table is given those that are shown and no other: its own features for
 * order, visibility and widths would cost every first visitor 3 KiB.
 */
export const columnsOf = (ids: readonly ColumnId[]) => helper.columns(ids.map((id) => COLUMNS[id]))
