import {
  columnVisibilityFeature,
  createColumnHelper,
  metaHelper,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table'
import Link from 'next/link'
import { ActionMark } from '#components/rating/action-mark.tsx'
import { PredictionChange } from '#components/rating/prediction-change.tsx'
import { RatingChange } from '#components/rating/rating-change.tsx'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { toSymbolKey } from '#lib/contract/rating.ts'
import { CreatedAt, ExpiresAt } from './time-cells.tsx'
import { AgreeCell, Tally } from './votes-cell.tsx'

/** `widthPx` is the least width; wider tables share what is left in proportion. All of them fit into 1280 px. */
export type ColumnMeta = {
  label: string
  widthPx: number
  isNumeric?: boolean
  /** Stays in view while a narrow table passes by. */
  isPinned?: boolean
  /** Makes way for the others on a phone. */
  isLesser?: boolean
}

/** The classes of a column's cells; `pinned` are those of the one that stays in view. */
export const toColumnClasses = (meta: ColumnMeta | undefined, pinned?: string) => {
  if (meta?.isLesser) return 'max-sm:hidden'
  return meta?.isPinned ? pinned : undefined
}

export const features = tableFeatures({
  rowSortingFeature,
  columnVisibilityFeature,
  columnMeta: metaHelper<ColumnMeta>(),
  /** `asOf` is the instant of the answer, seconds since 1970: what ago and ahead are counted from. */
  tableMeta: metaHelper<{ asOf: number }>(),
})

const helper = createColumnHelper<typeof features, RatingRow>()

/** The columns of the table; their ids are what the query sorts by. */
export const columns = helper.columns([
  helper.accessor('id', {
    meta: { label: 'ID', widthPx: 66, isNumeric: true, isLesser: true },
    sortDescFirst: true,
    cell: ({ row }) => <span className="text-ink-3">{row.original.id}</span>,
  }),
  helper.accessor('user_id', {
    meta: { label: 'User', widthPx: 54, isNumeric: true },
    sortDescFirst: false,
    cell: ({ row }) => (
      <Link prefetch={false} className="hover:underline" href={`/users/${row.original.user_id}`}>
        {row.original.user_id}
      </Link>
    ),
  }),
  helper.accessor('symbol', {
    meta: { label: 'Symbol', widthPx: 62, isPinned: true },
    sortDescFirst: false,
    cell: ({ row }) => (
      <Link
        prefetch={false}
        className="block truncate font-semibold hover:underline"
        href={`/symbols/${encodeURIComponent(toSymbolKey(row.original.symbol))}`}
      >
        {row.original.symbol}
      </Link>
    ),
  }),
  helper.accessor('rating', {
    meta: { label: 'Rating', widthPx: 206 },
    sortDescFirst: true,
    cell: ({ row: { original } }) => (
      <RatingChange
        previousCode={original.previous_rating}
        code={original.rating}
        label={original.rating_label}
      />
    ),
  }),
  helper.accessor('action', {
    meta: { label: 'Action', widthPx: 106 },
    sortDescFirst: false,
    cell: ({ row: { original } }) => (
      <ActionMark code={original.action} label={original.action_label} />
    ),
  }),
  helper.accessor('prediction', {
    meta: { label: 'Prediction', widthPx: 132, isNumeric: true },
    sortDescFirst: true,
    cell: ({ row: { original } }) => (
      <PredictionChange previous={original.previous_prediction} prediction={original.prediction} />
    ),
  }),
  helper.accessor('tally_agree', {
    meta: { label: 'Agree', widthPx: 64, isNumeric: true },
    sortDescFirst: true,
    cell: ({ row: { original } }) => (
      <AgreeCell agree={original.tally_agree} disagree={original.tally_disagree} />
    ),
  }),
  helper.accessor('tally_disagree', {
    meta: { label: 'Disagree', widthPx: 60, isNumeric: true },
    sortDescFirst: true,
    cell: ({ row }) => <Tally count={row.original.tally_disagree} />,
  }),
  helper.accessor('tally_comment', {
    meta: { label: 'Comments', widthPx: 73, isNumeric: true },
    sortDescFirst: true,
    cell: ({ row }) => <Tally count={row.original.tally_comment} />,
  }),
  helper.accessor('created_at', {
    meta: { label: 'Created', widthPx: 124 },
    sortDescFirst: true,
    cell: ({ row, table }) => (
      <CreatedAt seconds={row.original.created_at} asOf={table.options.meta?.asOf ?? 0} />
    ),
  }),
  helper.accessor('expired_at', {
    meta: { label: 'Expires', widthPx: 80, isNumeric: true },
    sortDescFirst: false,
    cell: ({ row, table }) => <ExpiresAt row={row.original} asOf={table.options.meta?.asOf ?? 0} />,
  }),
])
