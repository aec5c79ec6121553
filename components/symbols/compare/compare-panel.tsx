'use client'

import { type ReactNode, useId } from 'react'
import { toChartHeight } from '#components/charts/chart-sizes.ts'
import type { ChartColumn, ChartEmbed, ChartFacts } from '#components/charts/save/chart-facts.ts'
import { SaveChart } from '#components/charts/save/save-chart.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { toJudged, toShownDays } from '#components/symbols/series/buckets.ts'
import { Button } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Segmented } from '#components/ui/fields.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
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
import type {
  CompareChanges,
  ComparedLine,
  CompareScale,
  CompareSpan,
  CompareStyle,
} from './comparison.ts'

type ComparePanelProps = ComparedView & {
  onChange: (changes: CompareChanges) => void
  embed: ChartEmbed
  range?: ReactNode
}

/** Toolbar, legend and figures together. */
const AROUND_PX = 400

export function ComparePanel(props: ComparePanelProps) {
  const { style, range } = props
  const compared = useCompared(props)
  const { answer, found, keys, name } = compared
  const isLoading = found === undefined && answer.error === null
  return (
    <figure
      aria-busy={isLoading}
      aria-label={name}
      className="flex min-w-0 flex-col gap-2 rounded-lg border bg-surface p-4 pl-3"
    >
      <h2 className="sr-only">Consensus compared</h2>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 pl-2">{range}</div>
      {isLoading ? (
        <Skeleton
          className="rounded-lg"
          height={toChartHeight(style.mode, keys.length) + AROUND_PX}
        />
      ) : (
        <ComparedSymbols {...props} compared={compared} />
      )}
    </figure>
  )
}

function ComparedSymbols(props: ComparePanelProps & { compared: Compared }) {
  const { symbol, query, style, minimum, onChange, embed, compared } = props
  const { answer, lines, shown, common } = compared
  const { remove, toggle } = toActions(props)
  const areaId = useId()
  return (
    <>
      <CompareToolbar
        areaId={areaId}
        onChange={onChange}
        onCommonRange={common === null ? null : () => onChange({ from: common })}
        save={<SaveChart embed={embed} toFacts={() => toSaved(props, compared)} />}
        style={style}
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
          minimum={minimum}
          scale={style.scale}
        />
      )}
      <div id="rows" tabIndex={-1}>
        <CompareFigures asof={query.asof} minimum={minimum} symbols={lines} />
      </div>
    </>
  )
}

/** Null while the displayed data does not match the query. */
function toSaved({ query, style, minimum }: ComparePanelProps, { answer, shown }: Compared) {
  if (answer.data === undefined || answer.isPlaceholderData || shown.length === 0) return null
  return toCompareFacts(answer.data, { ...style, ...query, minimum, lines: shown })
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
  const drawn = style.asTable || shown.length === 0 ? 1 : shown.length
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
            height={toChartHeight(style.mode, drawn)}
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

type CompareToolbarProps = {
  style: CompareStyle
  areaId: string
  onChange: (changes: CompareChanges) => void
  /** Null if the range already begins there or there is no such day. */
  onCommonRange: (() => void) | null
  save?: ReactNode
}

const MODES = [
  { value: 'overlay', label: 'One chart' },
  { value: 'multiples', label: 'One chart each' },
] as const

const SCALES = [
  { value: 'rating', label: 'Rating' },
  {
    value: 'change',
    label: (
      <span title="In rating points, since each symbol's first value in the range">Change</span>
    ),
  },
] as const

function CompareToolbar(props: CompareToolbarProps) {
  const { style, areaId, onChange, onCommonRange, save } = props
  const { mode, scale, asTable } = style
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 pl-2">
      <Segmented
        label="Panes"
        onChange={(next) => onChange({ mode: next })}
        options={MODES}
        value={mode}
      />
      <Segmented
        label="Values"
        onChange={(next) => onChange({ scale: next })}
        options={SCALES}
        value={scale}
      />
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

type Displayed = CompareSpan & {
  scale: CompareScale
  minimum: number
  lines: readonly ComparedLine[]
}

export function toCompareFacts({ data, meta }: CompareAnswer, displayed: Displayed): ChartFacts {
  const { scale, minimum, lines, asof } = displayed
  const { bucket } = data
  const symbols = lines.map(({ symbol }) => symbol)
  const days = toShownDays(lines[0]?.points[0], displayed, meta.as_of)
  const isChange = scale === 'change'
  return {
    title: `${isChange ? 'Change of consensus' : 'Consensus'} compared: ${lines.map(({ name }) => name).join(', ')}`,
    range: `${days.join(' to ')}, by ${bucket}`,
    zone: 'UTC',
    rule: toCompareRule({ bucket, scale, minimum }),
    asOf: meta.as_of,
    completeTo: meta.complete_to,
    nameParts: [
      symbols,
      ...days,
      bucket,
      ...(isChange ? ['change'] : []),
      ...(asof === null ? [] : [`as-of-${toAsofParameter(asof)}`]),
    ],
    columns: isChange ? [...COLUMNS, CHANGE] : COLUMNS,
    rows: lines.flatMap(({ key, symbol }) => {
      const points = data.symbols.find((one) => toSymbolKey(one.symbol) === key)?.points ?? []
      const drawn = points.map(({ active, consensus }) => (active < minimum ? null : consensus))
      const first = drawn.find((consensus) => consensus !== null) ?? null
      return points.map(({ t, active }, index) => {
        const consensus = drawn[index] ?? null
        const row = [symbol, bucket, t, active, consensus]
        return isChange ? [...row, toChange(first, consensus)] : row
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
const CHANGE: ChartColumn = { name: 'change', kind: 'number' }

/** Four decimal places, so that differences are exact. */
const UNITS = 10_000

function toChange(first: string | null, consensus: string | null): string | null {
  if (first === null || consensus === null) return null
  const units = Math.round(Number(consensus) * UNITS) - Math.round(Number(first) * UNITS)
  return (units / UNITS).toFixed(4)
}
