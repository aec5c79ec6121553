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
import type { CSSProperties } from 'react'
import { toSymbolHref, toUserHref } from '#components/address/page-address.ts'
import { toRatingHref } from '#components/address/rating-address.ts'
import { formatRelative, toZonedText, toZoneName } from '#components/format/instants.ts'
import type { Formats } from '#components/format/numbers.ts'
import {
  END_WORDS,
  PredictionChange,
  RatingChange,
  toActionMark,
  toRatingMark,
} from '#components/marks/rating-marks.tsx'
import { Time } from '#components/time/instant.tsx'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { COLUMN_FACTS, COLUMN_IDS, type ColumnId, ownWidth } from './columns.ts'

type ColumnMeta = {
  label: string
  isNumeric?: boolean
  /** The class of its cells, where a narrow screen shows them in the two lines of a card; nothing of the others. */
  card?: string
  /** What else its cell has: its look, and what is heard instead of what is seen. */
  toAttributes?: (row: RatingRow, meta: TableMeta) => CellAttributes
}

type CellAttributes = {
  className?: string
  title?: string
  'aria-label'?: string
  'data-glyph'?: string
}

/** What the values of all rows are written with. */
export type TableMeta = {
  /** The instant of the answer, seconds since 1970: what ago and ahead are counted from. */
  asOf: number
  /** The zone of every time, by its name in the IANA database. */
  zone: string
  formats: Formats
  /** The address of a page as the reader stands: rewound, and in the zone. */
  toHref: (href: string) => string
}

export const features = tableFeatures({
  columnOrderingFeature,
  columnVisibilityFeature,
  columnSizingFeature,
  rowSelectionFeature,
  rowSortingFeature,
  columnMeta: metaHelper<ColumnMeta>(),
  tableMeta: metaHelper<TableMeta>(),
})

/** What is heard of when a rating expires; a struck ring stands before it where the service has dropped it. */
function toExpiryAttributes(row: RatingRow, meta: TableMeta): CellAttributes {
  const { text, spoken, title } = toExpiry(row, meta)
  return {
    className: row.vanished_at === null ? 'quiet' : 'quiet gone',
    title: title ?? undefined,
    'aria-label': spoken === '' ? undefined : `${spoken} ${text}`,
  }
}

/**
 * When a rating expires: seen in the cell, heard before it (`spoken`). `at` is the instant that the text stands for
 * (seconds since 1970); where there is none, `title` says why.
 */
type Expiry = { text: string; spoken: string; at: number | null; title: string | null }

type Expiring = Pick<RatingRow, 'expired_at' | 'ended' | 'vanished_at'>
type Seen = Pick<TableMeta, 'asOf' | 'zone'>

const toNamedTime = (seconds: number, zone: string) =>
  `${toZonedText(seconds, zone)} ${toZoneName(zone)}`

/**
 * When a rating expires, from `asOf` (seconds since 1970), or in a word what ended it before. What the service lists no more
 * is said to be so in any case.
 */
export function toExpiry(row: Expiring, { asOf, zone }: Seen): Expiry {
  const { expired_at: at, ended } = row
  const none = 'No expiry was given'
  const toForeseen = () => `Foreseen: ${at === null ? none : toNamedTime(at, zone)}`
  const gone =
    row.vanished_at === null
      ? null
      : `No longer listed by the service since ${toNamedTime(row.vanished_at, zone)}`
  if (ended === 'vanished') {
    return {
      text: END_WORDS[ended],
      spoken: gone ?? '',
      at: null,
      title: `${gone}. ${toForeseen()}`,
    }
  }
  if (ended === 'renewed') {
    const facts = ["Replaced by the user's next rating", toForeseen(), ...(gone ? [gone] : [])]
    return { text: END_WORDS[ended], spoken: '', at: null, title: facts.join('. ') }
  }
  if (at === null) return { text: '–', spoken: 'no expiry', at, title: none }
  const spoken = ended === null ? 'expires' : END_WORDS[ended]
  return { text: formatRelative(at, asOf), spoken, at, title: gone }
}

/** Votes for a rating, and beside them how all votes are split. Nothing is drawn where nobody voted. */
function toVotes({ tally_agree: agree, tally_disagree: disagree }: RatingRow, formats: Formats) {
  const votes = agree + disagree
  if (votes === 0) return formats.formatCount(agree)
  const style = { '--agree': `${Math.round((100 * agree) / votes)}%` } as CSSProperties
  return (
    <span className="votes">
      <span aria-hidden data-split style={style} />
      <span className={agree === 0 ? 'quiet' : undefined}>{formats.formatCount(agree)}</span>
    </span>
  )
}

/** A tally; nothing is quieter than something. */
const toTally = (count: number): CellAttributes => ({
  className: count === 0 ? 'quiet' : undefined,
})

const helper = createColumnHelper<typeof features, RatingRow>()

/**
 * The columns of the table; their ids are what the query sorts by. Links are reached by Tab from the row at hand. The table
 * follows them itself: a hundred of the framework's links take a tenth of the time in which rows are drawn. A cell is drawn
 * by a plain call, with no component of its own, and its look is its column's: there are 550 of them.
 */
const COLUMNS = {
  id: helper.accessor('id', {
    meta: { ...COLUMN_FACTS.id, toAttributes: () => ({ className: 'quiet' }) },
    sortDescFirst: true,
    cell: ({ row: { original }, table }) => (
      <a tabIndex={-1} data-open href={table.options.meta?.toHref(toRatingHref(original.id))}>
        {original.id}
      </a>
    ),
  }),
  user_id: helper.accessor('user_id', {
    meta: { ...COLUMN_FACTS.user_id, card: 'user' },
    sortDescFirst: false,
    cell: ({ row: { original }, table }) => (
      <a tabIndex={-1} data-follow href={table.options.meta?.toHref(toUserHref(original.user_id))}>
        {original.user_id}
      </a>
    ),
  }),
  symbol: helper.accessor('symbol', {
    meta: { ...COLUMN_FACTS.symbol, card: 'symbol' },
    sortDescFirst: false,
    cell: ({ row: { original }, table }) => (
      <a
        tabIndex={-1}
        href={table.options.meta?.toHref(toSymbolHref(toSymbolKey(original.symbol)))}
      >
        {original.symbol}
      </a>
    ),
  }),
  rating: helper.accessor('rating', {
    meta: {
      ...COLUMN_FACTS.rating,
      card: 'rating',
      toAttributes: (row) =>
        isSame(row.previous_rating, row.rating) ? toRatingMark(row.rating) : {},
    },
    sortDescFirst: true,
    cell: ({ row: { original } }) =>
      isSame(original.previous_rating, original.rating) ? (
        original.rating_label
      ) : (
        <RatingChange
          previousCode={original.previous_rating}
          code={original.rating}
          label={original.rating_label}
        />
      ),
  }),
  action: helper.accessor('action', {
    meta: { ...COLUMN_FACTS.action, toAttributes: (row) => toActionMark(row.action) },
    sortDescFirst: false,
    cell: ({ row: { original } }) => original.action_label,
  }),
  prediction: helper.accessor('prediction', {
    meta: { ...COLUMN_FACTS.prediction, card: 'prediction' },
    sortDescFirst: true,
    cell: ({ row: { original }, table }) =>
      isSame(original.previous_prediction, original.prediction) ? (
        table.options.meta?.formats.formatPrediction(original.prediction)
      ) : (
        <PredictionChange
          previous={original.previous_prediction}
          prediction={original.prediction}
        />
      ),
  }),
  tally_agree: helper.accessor('tally_agree', {
    meta: {
      ...COLUMN_FACTS.tally_agree,
      toAttributes: (row) => toTally(row.tally_agree + row.tally_disagree),
    },
    sortDescFirst: true,
    cell: ({ row: { original }, table }) =>
      table.options.meta && toVotes(original, table.options.meta.formats),
  }),
  tally_disagree: helper.accessor('tally_disagree', {
    meta: { ...COLUMN_FACTS.tally_disagree, toAttributes: (row) => toTally(row.tally_disagree) },
    sortDescFirst: true,
    cell: ({ getValue, table }) => table.options.meta?.formats.formatCount(getValue()),
  }),
  tally_comment: helper.accessor('tally_comment', {
    meta: { ...COLUMN_FACTS.tally_comment, toAttributes: (row) => toTally(row.tally_comment) },
    sortDescFirst: true,
    cell: ({ getValue, table }) => table.options.meta?.formats.formatCount(getValue()),
  }),
  created_at: helper.accessor('created_at', {
    meta: { ...COLUMN_FACTS.created_at, card: 'posted' },
    sortDescFirst: true,
    cell: ({ getValue, table }) => (
      <Time seconds={getValue()}>{toZonedText(getValue(), table.options.meta?.zone ?? 'UTC')}</Time>
    ),
  }),
  expired_at: helper.accessor('expired_at', {
    meta: { ...COLUMN_FACTS.expired_at, toAttributes: toExpiryAttributes },
    sortDescFirst: false,
    cell: ({ row: { original }, table }) => {
      const { meta } = table.options
      if (!meta) return null
      const { text, at } = toExpiry(original, meta)
      return at === null ? text : <Time seconds={at}>{text}</Time>
    },
  }),
}

const isSame = <T,>(before: T | null, now: T) => before === null || before === now

/** The columns with the widths that they have by themselves: the one that stands first has room for a checkbox. */
export const columnsWith = (first: ColumnId | undefined) =>
  helper.columns(COLUMN_IDS.map((id) => ({ ...COLUMNS[id], size: ownWidth(id, id === first) })))
