'use client'

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { LazyDrawing, lazyDrawing } from '#components/charts/lazy-drawing.tsx'
import { formatDay } from '#components/format/instants.ts'
import { OutsideText } from '#components/format/outside-text.tsx'
import {
  BUCKET_SECONDS,
  type BucketContext,
  createBucketWords,
} from '#components/symbols/series/buckets.ts'
import { AsOfLink } from '#components/time/as-of.tsx'
import { Button } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { EmptyState, Notice } from '#components/ui/messages.tsx'
import { Cell, HeaderCell, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { comparisonOptions } from '#lib/client/symbol-options.ts'
import { CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
import type { Bucket } from '#lib/contract/api-queries.ts'
import { toSearchHref } from '#lib/contract/page-addresses.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { CompareChart } from './compare-chart.tsx'
import {
  type CompareChanges,
  type ComparedLine,
  type CompareSpan,
  type CompareStyle,
  toCommonStart,
  toComparedKeys,
  toComparedLines,
  toCompareParams,
  toCompareSummary,
  toEnds,
} from './comparison.ts'

type CompareAreaProps = {
  name: string
  lines: readonly ComparedLine[]
  style: CompareStyle
  judged: BucketContext
  height: number
  /** Undefined makes the comparison read-only. */
  onChange?: (changes: CompareChanges) => void
}

export function CompareArea(props: CompareAreaProps) {
  const { name, lines, style, judged, height, onChange } = props
  if (lines.length === 0) {
    return (
      <Nothing
        action={
          onChange && <Button onClick={() => onChange({ hidden: [] })}>Show all symbols</Button>
        }
        height={height}
        title={
          style.hidden.length > 0
            ? 'All symbols are switched off'
            : 'None of them had been rated by then'
        }
      />
    )
  }
  if (lines.every(({ points }) => points.length === 0)) {
    return (
      <Nothing
        action={
          onChange && (
            <Button onClick={() => onChange({ from: null, to: null, isWhole: true })}>
              Show all time
            </Button>
          )
        }
        height={height}
        title="None of them had been rated in this range"
      />
    )
  }
  if (style.asTable) {
    const { toRow } = createBucketWords(judged)
    return <CompareTable height={height} lines={lines} name={name} toRow={toRow} />
  }
  return <Drawing {...props} />
}

function Drawing({ lines, judged, onChange }: CompareAreaProps) {
  const { bucket, asOf } = judged
  return (
    <CompareChart
      bucket={bucket}
      bucketSeconds={BUCKET_SECONDS[bucket]}
      lines={lines}
      {...(onChange && {
        onZoom: ({ from, to }: { from: number; to: number }) =>
          onChange({ from, to: to > asOf ? null : to }),
      })}
      toWhen={createBucketWords(judged).toTitle}
    />
  )
}

type NothingProps = { title: string; height: number; action: React.ReactNode }

const Nothing = ({ title, height, action }: NothingProps) => (
  <div style={{ height }}>
    <EmptyState action={action} className="h-full justify-center" title={title} />
  </div>
)

export type ComparedView = {
  symbol: string
  vs: readonly string[]
  query: CompareSpan
  style: CompareStyle
}

export type Compared = ReturnType<typeof useCompared>

export function useCompared(
  { symbol, vs, query, style }: ComparedView,
  { againMs = null }: { againMs?: number | null } = {},
) {
  const keys = useMemo(() => toComparedKeys(symbol, vs), [symbol, vs])
  const answer = useQuery({
    ...comparisonOptions(toCompareParams(keys, query)),
    refetchInterval: againMs ?? false,
  })
  const found = answer.data?.data
  const symbols = useMemo(
    () => found?.symbols.filter((one) => keys.includes(toSymbolKey(one.symbol))) ?? [],
    [found, keys],
  )
  const { hidden } = style
  const lines = useMemo(() => toComparedLines({ symbols }, keys), [symbols, keys])
  const shown = useMemo(() => lines.filter(({ key }) => !hidden.includes(key)), [lines, hidden])
  const common = toCommonStart(symbols)
  const names = found ? lines.map((line) => line.name) : keys.map(toVisibleText)
  return {
    answer,
    found,
    keys,
    lines,
    shown,
    unknown: (found?.unknown ?? []).filter((key) => keys.includes(key)),
    common: common === query.from ? null : common,
    name: `Consensus compared, ${names.join(', ')}`,
  }
}

type CompareTableProps = {
  name: string
  lines: readonly ComparedLine[]
  toRow: (t: number) => string
  height: number
}

function CompareTable({ name, lines, toRow, height }: CompareTableProps) {
  const points = (lines[0]?.points ?? []).map(({ t }, index) => ({ t, index }))
  return (
    <div style={{ height }}>
      <TableFrame aria-label={name} className="h-full overflow-y-auto">
        <Table compact aria-label={name}>
          <TableHead className="sticky top-0 z-10 bg-surface">
            <HeaderCell className="sticky left-0 bg-surface">At the end of</HeaderCell>
            {lines.map((line) => (
              <HeaderCell key={line.key} numeric>
                {line.name}
              </HeaderCell>
            ))}
          </TableHead>
          <tbody>
            {points.toReversed().map(({ t, index }) => (
              <tr key={t}>
                <th
                  className="sticky left-0 bg-surface pl-4 text-left font-normal whitespace-nowrap"
                  scope="row"
                >
                  {toRow(t)}
                </th>
                {lines.map((line) => (
                  <Cell key={line.key} numeric>
                    {line.points[index]?.text}
                  </Cell>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      </TableFrame>
    </div>
  )
}

type CompareLegendProps = {
  lines: readonly ComparedLine[]
  hidden: readonly string[]
  own: string
  onToggle: (key: string) => void
  onRemove: (key: string) => void
}

export function CompareLegend({ lines, hidden, own, ...actions }: CompareLegendProps) {
  return (
    <ul
      aria-label="Symbols compared"
      className="flex flex-wrap gap-x-2 gap-y-1.5 pl-2"
      data-pane="legend"
    >
      {lines.map((line) => (
        <li
          key={line.key}
          className="flex max-w-full items-stretch rounded-md border border-line-2"
          data-unsaved={hidden.includes(line.key) || undefined}
        >
          <LegendButton
            isShown={!hidden.includes(line.key)}
            line={line}
            onToggle={() => actions.onToggle(line.key)}
          />
          {line.key !== own && (
            <button
              aria-label={`Remove ${line.name}`}
              data-unsaved
              className="w-7 shrink-0 rounded-r-md border-l border-line-2 text-ink-3 hover:bg-sunk hover:text-ink"
              onClick={() => actions.onRemove(line.key)}
              title={`Remove ${line.name}`}
              type="button"
            >
              ×
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

type LegendButtonProps = {
  line: ComparedLine
  isShown: boolean
  onToggle: () => void
}

function LegendButton({ line, isShown, onToggle }: LegendButtonProps) {
  const last = toEnds(line)?.last
  return (
    <button
      aria-pressed={isShown}
      className="flex min-w-0 items-center gap-2 rounded-md px-2 py-0.5 text-left hover:bg-sunk"
      onClick={onToggle}
      title={isShown ? `Hide ${line.name}` : `Show ${line.name}`}
      type="button"
    >
      <Swatch isShown={isShown} place={line.place} />
      <span className={classNames('truncate font-medium', !isShown && 'text-ink-3 line-through')}>
        {line.name}
      </span>
      <span className="whitespace-nowrap text-ink-3">{last ? last.text : 'too few ratings'}</span>
    </button>
  )
}

const lineSwatch = lazyDrawing(async () => (await import('./compare-drawing.tsx')).LineSwatch)

const Swatch = ({ place, isShown = true }: { place: number; isShown?: boolean }) => (
  <LazyDrawing
    drawing={lineSwatch}
    as="span"
    drawn={{ place }}
    host={{
      className: classNames(
        'h-3 w-[30px] shrink-0 forced-color-adjust-none',
        !isShown && 'opacity-40',
      ),
    }}
    of={place}
  />
)

export const CompareKey = ({ lines }: { lines: readonly ComparedLine[] }) => (
  <ul
    aria-label="Symbols compared"
    className="flex flex-wrap gap-x-5 max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-3 max-sm:text-sm"
  >
    {lines.map((line) => (
      <li key={line.key} className="flex h-6 min-w-0 items-center gap-1.5">
        <Swatch place={line.place} />
        <span className="truncate font-medium">{line.name}</span>
        <span className="whitespace-nowrap text-ink-3">
          {toEnds(line)?.last.text ?? 'too few ratings'}
        </span>
      </li>
    ))}
  </ul>
)

type CompareNotesProps = {
  lines: readonly ComparedLine[]
  judged: BucketContext
}

export const toCompareRule = (bucket: Bucket): string =>
  `Consensus: the mean of the ratings (1 Strong Sell to 5 Strong Buy) that were active at the end of each ${bucket}; not drawn where fewer than ${CONSENSUS_MIN} are. n is how many were active.`

export function CompareNotes({ lines, judged }: CompareNotesProps) {
  const { bucket } = judged
  const summary = toCompareSummary(lines, { bucket, toWhen: createBucketWords(judged).toWhen })
  return (
    <details className="pl-2 text-sm wrap-anywhere text-ink-3">
      <summary className="min-h-6 cursor-pointer max-sm:py-2">
        Method<span className="sr-only"> of the comparison</span>
      </summary>
      <p className="max-w-text pt-1 text-ink-2">{summary}</p>
      <p className="max-w-text pt-1.5">{toCompareRule(bucket)}</p>
    </details>
  )
}

type UnknownSymbolsProps = {
  symbols: readonly string[]
  asof: number | null
  onRemove: (key: string) => void
}

export function UnknownSymbols({ symbols, asof, onRemove }: UnknownSymbolsProps) {
  return symbols.map((symbol) => (
    <Notice
      key={symbol}
      className="ml-2"
      action={
        <Button onClick={() => onRemove(symbol)} size="small">
          Remove<span className="sr-only"> {toVisibleText(symbol)}</span>
        </Button>
      }
      title={
        asof === null
          ? `${toVisibleText(symbol)} has no ratings and is left out`
          : `${toVisibleText(symbol)} had no ratings by ${formatDay(asof)} and is left out`
      }
    >
      <AsOfLink className="link" href={toSearchHref('/symbols', symbol)}>
        Search symbols for <OutsideText>{symbol}</OutsideText>
      </AsOfLink>
    </Notice>
  ))
}
