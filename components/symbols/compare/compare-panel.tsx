'use client'

import { type ReactNode, useId } from 'react'
import { COMPARE_HEIGHT } from '#components/charts/chart-sizes.ts'
import type { ChartColumn, ChartEmbed, ChartFacts } from '#components/charts/save/chart-facts.ts'
import { SaveChart } from '#components/charts/save/save-chart.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { toJudged, toShownDays } from '#components/symbols/series/buckets.ts'
import { Button } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Skeleton } from '#components/ui/loading.tsx'
import { CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
import type { CompareAnswer } from '#lib/contract/answers/opinion.ts'
import { toAsofParameter } from '#lib/contract/instant-text.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import {
  CompareArea,
  type Compared,
  type ComparedView,
  CompareLegend,
  CompareNotes,
  toCompareRule,
  UnknownSymbols,
  useCompared,
} from './compare-area.tsx'
import { CompareFigures } from './compare-figures.tsx'
import type { CompareChanges, ComparedLine, CompareSpan, CompareStyle } from './comparison.ts'

type ComparePanelProps = ComparedView & {
  onChange: (changes: CompareChanges) => void
  embed: ChartEmbed
  range?: ReactNode
}

/** Toolbar, legend and figures together. */
const AROUND_PX = 400

export function ComparePanel(props: ComparePanelProps) {
  const compared = useCompared(props)
  const { answer, found, name } = compared
  const isLoading = found === undefined && answer.error === null
  return (
    <figure
      aria-busy={isLoading}
      aria-label={name}
      className="flex min-w-0 flex-col gap-2 rounded-lg border bg-surface p-4 pl-3"
    >
      <h2 className="sr-only">Consensus compared</h2>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 pl-2">{props.range}</div>
      {isLoading ? (
        <Skeleton className="rounded-lg" height={COMPARE_HEIGHT + AROUND_PX} />
      ) : (
        <ComparedSymbols {...props} compared={compared} />
      )}
    </figure>
  )
}

function ComparedSymbols(props: ComparePanelProps & { compared: Compared }) {
  const { symbol, query, style, onChange, embed, compared } = props
  const { answer, lines, shown, common } = compared
  const { remove, toggle } = toActions(props)
  const areaId = useId()
  return (
    <>
      <CompareToolbar
        areaId={areaId}
        asTable={style.asTable}
        onChange={onChange}
        onCommonRange={common === null ? null : () => onChange({ from: common })}
        save={<SaveChart embed={embed} toFacts={() => toSaved(query, compared)} />}
      />
      <CompareLegend
        hidden={style.hidden}
        lines={lines}
        onRemove={remove}
        onToggle={toggle}
        own={toSymbolKey(symbol)}
      />
      <UnknownSymbols asof={query.asof} onRemove={remove} symbols={compared.unknown} />
      <Drawn {...props} areaId={areaId} compared={compared} />
      {answer.data !== undefined && (
        <CompareNotes
          judged={toJudged(answer.data.data.bucket, query, answer.data.meta.as_of)}
          lines={shown}
        />
      )}
      <div id="rows" tabIndex={-1}>
        <CompareFigures asof={query.asof} symbols={lines} />
      </div>
    </>
  )
}

/** Null while the displayed data does not match the query. */
function toSaved(span: CompareSpan, { answer, shown }: Compared) {
  if (answer.data === undefined || answer.isPlaceholderData || shown.length === 0) return null
  return toCompareFacts(answer.data, { ...span, lines: shown })
}

function toActions({ vs, style: { hidden }, onChange }: ComparePanelProps) {
  const without = (key: string) => hidden.filter((one) => one !== key)
  return {
    remove: (key: string) =>
      onChange({ vs: vs.filter((one) => toSymbolKey(one) !== key), hidden: without(key) }),
    toggle: (key: string) =>
      onChange({ hidden: hidden.includes(key) ? without(key) : [...hidden, key] }),
  }
}

type DrawnProps = ComparePanelProps & { areaId: string; compared: Compared }

function Drawn({ areaId, compared, query, style, onChange }: DrawnProps) {
  const { answer, found, shown, name } = compared
  const { data, error, refetch, isPlaceholderData } = answer
  return (
    <>
      {error !== null && (
        <FailureNotice
          error={error}
          onRetry={() => void refetch()}
          what="The comparison"
          {...(found ? { kept: 'The content below was loaded earlier.' } : {})}
        />
      )}
      <div
        aria-busy={isPlaceholderData}
        className={classNames('min-w-0', isPlaceholderData && 'opacity-60')}
        id={areaId}
      >
        {data !== undefined && (
          <CompareArea
            height={COMPARE_HEIGHT}
            judged={toJudged(data.data.bucket, query, data.meta.as_of)}
            lines={shown}
            name={name}
            onChange={onChange}
            style={style}
          />
        )}
      </div>
    </>
  )
}

type CompareToolbarProps = Pick<CompareStyle, 'asTable'> & {
  areaId: string
  onChange: (changes: CompareChanges) => void
  /** Null if the range already begins there or there is no such day. */
  onCommonRange: (() => void) | null
  save?: ReactNode
}

function CompareToolbar(props: CompareToolbarProps) {
  const { asTable, areaId, onChange, onCommonRange, save } = props
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 pl-2">
      <div className="ml-auto flex flex-wrap items-center gap-x-3 gap-y-1">
        {onCommonRange !== null && (
          <Button onClick={onCommonRange} size="small">
            Start where all have ratings
          </Button>
        )}
        <Button
          aria-controls={areaId}
          className="w-28"
          onClick={() => onChange({ asTable: !asTable })}
          size="small"
        >
          {asTable ? 'Show as chart' : 'Show as table'}
        </Button>
        {save}
      </div>
    </div>
  )
}

type Displayed = CompareSpan & { lines: readonly ComparedLine[] }

export function toCompareFacts({ data, meta }: CompareAnswer, displayed: Displayed): ChartFacts {
  const { lines, asof } = displayed
  const { bucket } = data
  const symbols = lines.map(({ symbol }) => symbol)
  const days = toShownDays(lines[0]?.points[0], displayed, meta.as_of)
  return {
    title: `Consensus compared: ${lines.map(({ name }) => name).join(', ')}`,
    range: `${days.join(' to ')}, by ${bucket}`,
    zone: 'UTC',
    rule: toCompareRule(bucket),
    asOf: meta.as_of,
    completeTo: meta.complete_to,
    nameParts: [
      symbols,
      ...days,
      bucket,
      ...(asof === null ? [] : [`as-of-${toAsofParameter(asof)}`]),
    ],
    columns: COLUMNS,
    rows: lines.flatMap(({ key, symbol }) => {
      const points = data.symbols.find((one) => toSymbolKey(one.symbol) === key)?.points ?? []
      return points.map(({ t, active, consensus }) => {
        const drawn = active < CONSENSUS_MIN ? null : consensus
        return [symbol, bucket, t, active, drawn]
      })
    }),
  }
}

const COLUMNS: readonly ChartColumn[] = [
  { name: 'symbol', kind: 'text' },
  { name: 'bucket', kind: 'text' },
  { name: 'bucket_start', kind: 'instant' },
  { name: 'active', kind: 'number' },
  { name: 'consensus', kind: 'number' },
]
