'use client'

import type { ReactNode } from 'react'
import { AsOfLink, SymbolLink } from '#components/address/as-of.tsx'
import { toUserHref } from '#components/address/page-address.ts'
import { formatCount, formatPrediction } from '#components/format/numbers.ts'
import type { ListCell } from '#components/list/list-table.tsx'
import { RatingMark } from '#components/marks/rating-marks.tsx'
import { InstantButton } from '#components/time/instant.tsx'
import type { DifferenceRow, FieldChange } from '#lib/contract/answers/edition-differences.ts'
import {
  type DifferenceColumn,
  KIND_WORDS,
  toFieldWord,
} from '#lib/contract/lists/edition-differences.ts'
import { LAST_SECOND, PREDICTION_PATTERN } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { selectShown } from './edition-differences-texts.ts'

type CellColumn = Exclude<DifferenceColumn, 'before' | 'after'>

export const DIFFERENCE_CELLS: Readonly<Record<CellColumn, ListCell<DifferenceRow>>> = {
  kind: {
    card: 'end',
    render: ({ kind }) => <span title={KIND_WORDS[kind].rule}>{KIND_WORDS[kind].label}</span>,
  },
  symbol: {
    card: 'name',
    render: ({ symbol }) =>
      symbol === '' ? '–' : <SymbolLink className="link font-semibold" symbol={symbol} />,
  },
  user_id: {
    render: ({ user_id: userId }) =>
      userId === null ? (
        '–'
      ) : (
        <AsOfLink className="link" href={toUserHref(userId)}>
          {userId}
        </AsOfLink>
      ),
  },
  field: {
    label: 'Before and after',
    card: 'wide',
    isWide: true,
    render: ({ changes }) => <Changes changes={selectShown(changes)} />,
  },
  rating: { render: ({ rating }) => (rating === null ? '–' : <RatingMark code={rating} />) },
  prediction: {
    render: ({ prediction }) =>
      PREDICTION_PATTERN.test(prediction)
        ? formatPrediction(prediction)
        : toVisibleText(prediction || '–'),
  },
  created_at: {
    render: ({ created_at: createdAt }) =>
      isInstant(createdAt) ? <InstantButton seconds={createdAt} /> : '–',
  },
  id: {
    render: ({ id, id_text: text }) =>
      id === null ? (
        <bdi>{toVisibleText(text || '–')}</bdi>
      ) : (
        <AsOfLink aria-label={`Rating ${id}`} className="link" href={`/ratings/${id}`}>
          {id}
        </AsOfLink>
      ),
  },
}

const isInstant = (seconds: number | null): seconds is number =>
  seconds !== null && seconds >= 0 && seconds <= LAST_SECOND

function Changes({ changes }: { changes: readonly FieldChange[] }) {
  if (changes.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-0.5">
      {changes.map((change) => (
        <li key={change.field} className="max-w-full">
          <bdi className="text-ink-3">{toVisibleText(toFieldWord(change.field))}</bdi>{' '}
          <bdi className="text-ink-2 line-through decoration-ink-3">
            <FieldValue field={change.field} text={change.before} />
          </bdi>{' '}
          <span aria-hidden>→</span>
          <span className="sr-only"> to </span>{' '}
          <bdi>
            <FieldValue field={change.field} text={change.after} />
          </bdi>
        </li>
      ))}
    </ul>
  )
}

function FieldValue({ field, text }: { field: string; text: string }): ReactNode {
  const whole = /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : null
  if (field === 'expired_at' && (text === '' || whole === 0)) return 'never'
  if (text === '') return 'nothing'
  if (field === 'rating' && whole !== null) return <RatingMark code={whole} />
  if (field === 'prediction' && PREDICTION_PATTERN.test(text)) return formatPrediction(text)
  if (field.startsWith('tally_') && whole !== null) return formatCount(whole)
  const isTime = field === 'expired_at' || field === 'created_at'
  if (isTime && isInstant(whole)) return <InstantButton seconds={whole} />
  return toVisibleText(text)
}
