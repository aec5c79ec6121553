'use client'

import {
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  rowSelectionFeature,
  tableFeatures,
} from '@tanstack/react-table'
import type { CSSProperties, ReactNode } from 'react'
import {
  formatRelative,
  toInstantTitle,
  toZonedText,
  toZoneName,
} from '#components/format/instants.ts'
import { formatCount, formatPrediction } from '#components/format/numbers.ts'
import {
  END_WORDS,
  PredictionChange,
  RatingChange,
  toActionMark,
  toRatingMark,
} from '#components/marks/rating-marks.tsx'
import { classNames } from '#components/ui/class-names.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { toRatingHref, toSymbolHref, toUserHref } from '#lib/contract/page-addresses.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import {
  COLUMN_IDS,
  type ColumnId,
  type ColumnSizes,
  columnLabel,
  paddingPx,
  RATING_LEAST_PX,
  toTextPx,
  usualSizes,
} from './columns.ts'

type ColumnCell = {
  card?: string
  toAttributes?: (row: RatingRow, meta: TableMeta) => CellAttributes
  draw: (row: RatingRow, meta: TableMeta) => ReactNode
}

type CellAttributes = {
  className?: string
  title?: string
  'aria-label'?: string
  'data-glyph'?: string
}

export type TableMeta = {
  /** Seconds since 1970. */
  asOf: number
  sorted: string
  /** IANA name. */
  zone: string
  toHref: (href: string) => string
}

export const features = tableFeatures({
  columnOrderingFeature,
  columnResizingFeature,
  columnVisibilityFeature,
  columnSizingFeature,
  rowSelectionFeature,
})

function toExpiryAttributes(row: RatingRow, meta: TableMeta): CellAttributes {
  const { text, spoken, title } = toExpiry(row, meta)
  return {
    className: row.vanished_at === null ? 'quiet' : 'quiet gone',
    title,
    'aria-label': spoken === '' ? undefined : `${spoken} ${text}`,
  }
}

type Expiry = { text: string; spoken: string; title: string }

type Expiring = Pick<RatingRow, 'expired_at' | 'ended' | 'vanished_at'>
type CellTime = Pick<TableMeta, 'asOf' | 'zone'>

const toNamedTime = (seconds: number, zone: string) =>
  `${toZonedText(seconds, zone)} ${toZoneName(zone)}`

export function toExpiry(row: Expiring, { asOf, zone }: CellTime): Expiry {
  const { expired_at: at, ended } = row
  const none = 'No expiry was given'
  const toForeseen = () => `Expected: ${at === null ? none : toNamedTime(at, zone)}`
  const gone =
    row.vanished_at === null
      ? null
      : `No longer listed by the service since ${toNamedTime(row.vanished_at, zone)}`
  if (ended === 'vanished') {
    return {
      text: END_WORDS[ended],
      spoken: gone ?? '',
      title: `${gone}. ${toForeseen()}`,
    }
  }
  if (ended === 'renewed') {
    const facts = ["Replaced by the user's next rating", toForeseen(), ...(gone ? [gone] : [])]
    return { text: END_WORDS[ended], spoken: '', title: facts.join('. ') }
  }
  if (at === null) return { text: '–', spoken: 'no expiry', title: none }
  const spoken = ended === null ? 'expires' : END_WORDS[ended]
  const title = [toInstantTitle(at, zone), ...(gone ? [gone] : [])].join('. ')
  return { text: formatRelative(at, asOf), spoken, title }
}

function toVotes({ tally_agree: agree, tally_disagree: disagree }: RatingRow) {
  const votes = agree + disagree
  if (votes === 0) return formatCount(agree)
  const style = { '--agree': `${Math.round((100 * agree) / votes)}%` } as CSSProperties
  return (
    <span className="votes" style={style}>
      <span className={agree === 0 ? 'quiet' : undefined}>{formatCount(agree)}</span>
    </span>
  )
}

const toTally = (count: number): CellAttributes => ({
  className: count === 0 ? 'quiet' : undefined,
})

const toLink = (path: string, { toHref }: TableMeta) => ({
  tabIndex: -1,
  href: withBase(toHref(path)),
})

/**
 * Plain links and function calls, because a page has 550 cells: 100 `next/link`s take a tenth of
 * the rendering time.
 */
const CELLS: Readonly<Record<ColumnId, ColumnCell>> = {
  id: {
    toAttributes: () => ({ className: 'quiet' }),
    draw: ({ id }) => id,
  },
  user_id: {
    card: 'user',
    draw: ({ user_id }, meta) => <a {...toLink(toUserHref(user_id), meta)}>{user_id}</a>,
  },
  symbol: {
    card: 'symbol',
    toAttributes: ({ symbol }) => {
      const shown = toVisibleText(symbol)
      return shown === symbol ? {} : { title: shown }
    },
    draw: ({ symbol }, meta) => (
      <a {...toLink(toSymbolHref(toSymbolKey(symbol)), meta)}>{toVisibleText(symbol)}</a>
    ),
  },
  rating: {
    card: 'rating',
    toAttributes: ({ previous_rating, rating }) =>
      isSame(previous_rating, rating) ? toRatingMark(rating) : {},
    draw: ({ previous_rating, rating, rating_label }) =>
      isSame(previous_rating, rating) ? (
        toVisibleText(rating_label)
      ) : (
        <RatingChange previousCode={previous_rating} code={rating} label={rating_label} />
      ),
  },
  action: {
    toAttributes: ({ action }) => toActionMark(action),
    draw: ({ action_label }) => toVisibleText(action_label),
  },
  prediction: {
    card: 'prediction',
    draw: ({ previous_prediction, prediction }) =>
      isSame(previous_prediction, prediction) ? (
        formatPrediction(prediction)
      ) : (
        <PredictionChange previous={previous_prediction} prediction={prediction} />
      ),
  },
  tally_agree: {
    toAttributes: (row) => toTally(row.tally_agree + row.tally_disagree),
    draw: toVotes,
  },
  tally_disagree: {
    toAttributes: (row) => toTally(row.tally_disagree),
    draw: (row) => formatCount(row.tally_disagree),
  },
  tally_comment: {
    toAttributes: (row) => toTally(row.tally_comment),
    draw: (row) => formatCount(row.tally_comment),
  },
  created_at: {
    card: 'posted',
    toAttributes: ({ created_at }, { zone }) => ({ title: toInstantTitle(created_at, zone) }),
    draw: ({ id, created_at }, meta) => (
      <a {...toLink(toRatingHref(id), meta)} data-open="">
        {toZonedText(created_at, meta.zone)}
      </a>
    ),
  },
  expired_at: {
    toAttributes: toExpiryAttributes,
    draw: (row, meta) => toExpiry(row, meta).text,
  },
}

export const drawCell = (id: ColumnId, row: RatingRow, meta: TableMeta): ReactNode =>
  CELLS[id].draw(row, meta)

export function cellAttributes(id: ColumnId, row: RatingRow, meta: TableMeta) {
  const { card, toAttributes } = CELLS[id]
  const own = toAttributes?.(row, meta)
  if (card !== undefined) return { ...own, className: classNames(card, own?.className) }
  return { ...own, 'data-sorted': isLabeled(id, row, meta) ? columnLabel(id) : undefined }
}

/** On a card: a column without a place of its own that sorts, or tells that the rating is gone. */
export function isLabeled(id: ColumnId, row: RatingRow, meta: TableMeta): boolean {
  const isGone = id === 'expired_at' && row.vanished_at !== null
  return CELLS[id].card === undefined && (id === meta.sorted || isGone)
}

const isSame = <T,>(before: T | null, now: T) => before === null || before === now

const helper = createColumnHelper<typeof features, RatingRow>()

export const columnsWith = (sizes: ColumnSizes) =>
  helper.columns(
    COLUMN_IDS.map((id) => helper.accessor(id, { header: columnLabel(id), size: sizes[id] })),
  )

/** Numbers and tickers, which are never cut. */
const WHOLE: Readonly<Partial<Record<ColumnId, (row: RatingRow) => string>>> = {
  symbol: ({ symbol }) => toVisibleText(symbol),
  user_id: ({ user_id }) => String(user_id),
  prediction: ({ prediction }) => formatPrediction(prediction),
  tally_agree: ({ tally_agree }) => formatCount(tally_agree),
  tally_disagree: ({ tally_disagree }) => formatCount(tally_disagree),
  tally_comment: ({ tally_comment }) => formatCount(tally_comment),
  id: ({ id }) => String(id),
}

/**
 * In pixels: a column is as wide as its longest number or ticker. The rating makes room by what it
 * was before.
 */
export function toColumnSizes(shown: readonly ColumnId[], rows: readonly RatingRow[]): ColumnSizes {
  const sizes = usualSizes(shown[0])
  let extraPx = 0
  for (const id of COLUMN_IDS) {
    const toText = WHOLE[id]
    if (!toText || !shown.includes(id)) continue
    const textPx = Math.max(0, ...rows.map((row) => toTextPx(toText(row))))
    const px = Math.max(sizes[id], Math.ceil(textPx + paddingPx(id, shown)))
    extraPx += px - sizes[id]
    sizes[id] = px
  }
  return { ...sizes, rating: Math.max(RATING_LEAST_PX, sizes.rating - extraPx) }
}
