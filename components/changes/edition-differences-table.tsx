'use client'

import type { ReactNode } from 'react'
import { ZonedLink } from '#components/address/outlook.tsx'
import { toNextSort, toSymbolHref, toUserHref } from '#components/address/page-address.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { RatingMark } from '#components/marks/rating-marks.tsx'
import { ZonedInstant } from '#components/time/instant.tsx'
import { classNames } from '#components/ui/class-names.ts'
import {
  Cell,
  HeaderCell,
  Row,
  SortHeader,
  Table,
  TableFrame,
  TableHead,
} from '#components/ui/table.tsx'
import type { DifferenceRow, FieldChange } from '#lib/contract/answers/edition-differences.ts'
import type { DifferenceSort } from '#lib/contract/edition-differences.ts'
import { LAST_SECOND, PREDICTION_PATTERN } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { KIND_WORDS, selectShown, toFieldWord } from './edition-differences-texts.ts'
import type { DifferencesView } from './use-edition-differences.ts'

type Column = {
  name: DifferenceSort['column']
  label: string
  usual: 'asc' | 'desc'
  numeric?: true
}

const COLUMNS: readonly Column[] = [
  { name: 'kind', label: 'What happened', usual: 'asc' },
  { name: 'symbol', label: 'Symbol', usual: 'asc' },
  { name: 'user_id', label: 'User', usual: 'asc', numeric: true },
]

type TableProps = { view: DifferencesView; rows: readonly DifferenceRow[]; isDimmed: boolean }

/** The ratings that differ, one a row, each with what changed of it. */
export function DifferencesTable({ view, rows, isDimmed }: TableProps) {
  const { sort } = view.query
  const header = ({ name, label, usual, numeric }: Column) => {
    const next = toNextSort(sort, name, usual)
    return (
      <SortHeader
        key={name}
        direction={sort.column === name ? sort.direction : null}
        href={view.hrefFor({ sort: next })}
        label={label}
        numeric={numeric ?? false}
        onSort={() => view.change({ sort: next })}
      />
    )
  }
  return (
    <TableFrame aria-label="Differences" className={classNames(isDimmed && 'opacity-60')}>
      <Table aria-busy={isDimmed} aria-label="Differences" className="differences">
        <TableHead>
          {COLUMNS.map(header)}
          <HeaderCell className="w-full">Before and after</HeaderCell>
          <HeaderCell>Rating</HeaderCell>
          <HeaderCell numeric>Prediction</HeaderCell>
          {header({ name: 'created_at', label: 'Posted', usual: 'desc' })}
          {header({ name: 'id', label: 'Id', usual: 'desc', numeric: true })}
        </TableHead>
        <tbody>
          {rows.map((row) => (
            <DifferenceLine key={row.id_text} row={row} />
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}

function DifferenceLine({ row }: { row: DifferenceRow }) {
  const { formatPrediction } = useFormats()
  const { label, rule } = KIND_WORDS[row.kind]
  const isDecimal = PREDICTION_PATTERN.test(row.prediction)
  return (
    <Row>
      <Cell className="difference-kind" title={rule}>
        {label}
      </Cell>
      <Cell className="difference-symbol">
        {row.symbol === '' ? (
          '–'
        ) : (
          <ZonedLink className="link font-semibold" href={toSymbolHref(row.symbol)}>
            <bdi>{toVisibleText(row.symbol)}</bdi>
          </ZonedLink>
        )}
      </Cell>
      <Cell numeric className="difference-user">
        {row.user_id === null ? (
          '–'
        ) : (
          <ZonedLink className="link" href={toUserHref(row.user_id)}>
            {row.user_id}
          </ZonedLink>
        )}
      </Cell>
      <Cell className="difference-changes">
        <Changes changes={selectShown(row.changes)} />
      </Cell>
      <Cell className="difference-rating">
        {row.rating === null ? '–' : <RatingMark code={row.rating} />}
      </Cell>
      <Cell numeric className="difference-prediction">
        {isDecimal ? formatPrediction(row.prediction) : toVisibleText(row.prediction || '–')}
      </Cell>
      <Cell className="difference-posted">
        {isInstant(row.created_at) ? <ZonedInstant seconds={row.created_at} /> : '–'}
      </Cell>
      <Cell numeric className="difference-id">
        {row.id === null ? (
          <bdi>{toVisibleText(row.id_text || '–')}</bdi>
        ) : (
          <ZonedLink
            aria-label={`Rating ${row.id}`}
            className="link"
            href={`/ratings/${row.id}`}
            prefetch={false}
          >
            {row.id}
          </ZonedLink>
        )}
      </Cell>
    </Row>
  )
}

const isInstant = (seconds: number | null): seconds is number =>
  seconds !== null && seconds >= 0 && seconds <= LAST_SECOND

/** Each field with its value before and after; read as one sentence a field. */
function Changes({ changes }: { changes: readonly FieldChange[] }) {
  if (changes.length === 0) return null
  return (
    <ul className="field-changes">
      {changes.map((change) => (
        <li key={change.field}>
          <bdi className="field-name">{toVisibleText(toFieldWord(change.field))}</bdi>{' '}
          <bdi className="field-before">
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

/** A value as the rest of the dashboard writes it; whatever is no such value is shown as the text that it is. */
function FieldValue({ field, text }: { field: string; text: string }): ReactNode {
  const { formatPrediction, formatCount } = useFormats()
  const whole = /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : null
  if (field === 'expired_at' && (text === '' || whole === 0)) return 'never'
  if (text === '') return 'nothing'
  if (field === 'rating' && whole !== null) return <RatingMark code={whole} />
  if (field === 'prediction' && PREDICTION_PATTERN.test(text)) return formatPrediction(text)
  if (field.startsWith('tally_') && whole !== null) return formatCount(whole)
  const isTime = field === 'expired_at' || field === 'created_at'
  if (isTime && isInstant(whole)) return <ZonedInstant seconds={whole} />
  return toVisibleText(text)
}
