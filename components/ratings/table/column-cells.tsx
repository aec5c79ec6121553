'use client'

import {
  columnOrderingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  metaHelper,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table'
import { useZone, ZonedAnchor } from '#components/address/outlook.tsx'
import { toSymbolHref, toUserHref } from '#components/address/page-address.ts'
import { toRatingHref } from '#components/address/rating-address.ts'
import { formatRelative, toZonedText, toZoneName } from '#components/format/instants.ts'
import { Count } from '#components/format/use-formats.tsx'
import { ActionMark, PredictionChange, RatingChange } from '#components/marks/rating-marks.tsx'
import { Instant } from '#components/time/instant.tsx'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { COLUMN_FACTS, COLUMN_IDS, type ColumnId, ownWidth } from './columns.ts'

/** When a rating was posted, to the minute, in the page's zone; every other form on hover. */
const PostedAt = ({ seconds }: { seconds: number }) => (
  <Instant seconds={seconds} className="text-ink-2" />
)

/** When a rating expires, from `asOf`: the answer's instant. A struck ring is before it where the service has dropped it. */
function ExpiresAt({ row, asOf }: { row: RatingRow; asOf: number }) {
  const { text, spoken, at, title } = toExpiry(row, { asOf, zone: useZone() })
  const heard = spoken && <span className="sr-only">{spoken} </span>
  if (at !== null) {
    return (
      <>
        {heard}
        <Instant seconds={at} className="text-ink-3">
          {text}
        </Instant>
      </>
    )
  }
  return (
    <span title={title ?? undefined} className="text-ink-3">
      {row.vanished_at !== null && <span aria-hidden>⊘ </span>}
      {heard}
      {text}
    </span>
  )
}

/**
 * When a rating expires: seen in the cell, heard before it (`spoken`). `at` is the instant that the text stands for
 * (seconds since 1970); where there is none, `title` says why.
 */
type Expiry = { text: string; spoken: string; at: number | null; title: string | null }

type Expiring = Pick<RatingRow, 'expired_at' | 'state' | 'vanished_at'>
type Seen = { asOf: number; zone: string }

const toNamedTime = (seconds: number, zone: string) =>
  `${toZonedText(seconds, zone)} ${toZoneName(zone)}`

/**
 * When a rating expires, from `asOf` (seconds since 1970). The user's next rating on the symbol ends it too, whatever
 * was foreseen: such a rating is expired although its time has not come. One that the service lists no more is gone.
 */
export function toExpiry(row: Expiring, { asOf, zone }: Seen): Expiry {
  const { expired_at: at, state } = row
  const isReplaced = state === 'expired' && (at === null || at > asOf)
  const none = 'No expiry was given'
  const toForeseen = () => `Foreseen: ${at === null ? none : toNamedTime(at, zone)}`
  if (row.vanished_at !== null) {
    const spoken = `No longer listed by the service since ${toNamedTime(row.vanished_at, zone)}`
    return { text: 'gone', spoken, at: null, title: `${spoken}. ${toForeseen()}` }
  }
  if (isReplaced) {
    const title = `Replaced by the user's next rating. ${toForeseen()}`
    return { text: 'replaced', spoken: '', at: null, title }
  }
  if (at === null) return { text: '–', spoken: 'no expiry', at, title: none }
  const spoken = at > asOf ? 'expires' : 'expired'
  return { text: formatRelative(at, asOf), spoken, at, title: null }
}

/** Votes for a rating, and beside them how all votes are split. Nothing is drawn where nobody voted. */
function AgreeCell({ agree, disagree }: { agree: number; disagree: number }) {
  const votes = agree + disagree
  if (votes === 0) return <Tally count={agree} />
  return (
    <span className="flex items-center justify-end gap-1.5">
      <span
        aria-hidden
        data-split
        className="flex h-1 w-[22px] min-w-0 gap-px overflow-hidden rounded-full"
      >
        {agree > 0 && (
          <span className="rating-fill-4" style={{ width: `${(100 * agree) / votes}%` }} />
        )}
        {disagree > 0 && <span className="rating-fill-2 grow" />}
      </span>
      <span className="max-w-full min-w-[3ch] shrink-0 truncate">
        <Tally count={agree} />
      </span>
    </span>
  )
}

/** A tally; nothing is quieter than something. */
const Tally = ({ count }: { count: number }) => (
  <span className={count === 0 ? 'text-ink-3' : undefined}>
    <Count of={count} />
  </span>
)

type ColumnMeta = { label: string; isNumeric?: boolean }

export const features = tableFeatures({
  columnOrderingFeature,
  columnVisibilityFeature,
  columnSizingFeature,
  rowSelectionFeature,
  rowSortingFeature,
  columnMeta: metaHelper<ColumnMeta>(),
  /** `asOf` is the instant of the answer, seconds since 1970: what ago and ahead are counted from. */
  tableMeta: metaHelper<{ asOf: number }>(),
})

const LINK = 'hover:underline -outline-offset-1'

const helper = createColumnHelper<typeof features, RatingRow>()

/**
 * The columns of the table; their ids are what the query sorts by. Links are reached by Tab from the row at hand. The table
 * follows them itself: a hundred of the framework's links take a tenth of the time in which rows are drawn.
 */
const COLUMNS = {
  id: helper.accessor('id', {
    meta: COLUMN_FACTS.id,
    sortDescFirst: true,
    cell: ({ row }) => (
      <ZonedAnchor
        tabIndex={-1}
        data-open
        className={`${LINK} text-ink-3`}
        href={toRatingHref(row.original.id)}
      >
        {row.original.id}
      </ZonedAnchor>
    ),
  }),
  user_id: helper.accessor('user_id', {
    meta: COLUMN_FACTS.user_id,
    sortDescFirst: false,
    cell: ({ row }) => (
      <ZonedAnchor
        tabIndex={-1}
        data-follow
        className={LINK}
        href={toUserHref(row.original.user_id)}
      >
        {row.original.user_id}
      </ZonedAnchor>
    ),
  }),
  symbol: helper.accessor('symbol', {
    meta: COLUMN_FACTS.symbol,
    sortDescFirst: false,
    cell: ({ row }) => (
      <ZonedAnchor
        tabIndex={-1}
        data-follow
        className={`${LINK} font-semibold`}
        href={toSymbolHref(toSymbolKey(row.original.symbol))}
      >
        {row.original.symbol}
      </ZonedAnchor>
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
    cell: ({ row }) => <PostedAt seconds={row.original.created_at} />,
  }),
  expired_at: helper.accessor('expired_at', {
    meta: COLUMN_FACTS.expired_at,
    sortDescFirst: false,
    cell: ({ row, table }) => <ExpiresAt row={row.original} asOf={table.options.meta?.asOf ?? 0} />,
  }),
}

/** The columns with the widths that they have by themselves: the one that stands first has room for a checkbox. */
export const columnsWith = (first: ColumnId | undefined) =>
  helper.columns(COLUMN_IDS.map((id) => ({ ...COLUMNS[id], size: ownWidth(id, id === first) })))
