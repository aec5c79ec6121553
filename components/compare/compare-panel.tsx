'use client'

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { SaveChart } from '#components/chart-files/save-chart.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { comparisonOptions } from '#lib/client/query-options.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { CompareArea } from './compare-area.tsx'
import { toCompareFacts } from './compare-facts.ts'
import { CompareLegend } from './compare-legend.tsx'
import { CompareNotes, UnknownSymbols } from './compare-notes.tsx'
import {
  type CompareSpan,
  toCommonStart,
  toComparedKeys,
  toCompareParams,
} from './compare-query.ts'
import { toChartHeight } from './compare-sizes.ts'
import type { CompareChanges, CompareStyle } from './compare-style.ts'
import { CompareToolbar } from './compare-toolbar.tsx'
import { toComparedLines } from './compared-lines.ts'

export type ComparePanelProps = {
  /** The page's own symbol, which is the first of the lines. */
  symbol: string
  vs: readonly string[]
  query: CompareSpan
  style: CompareStyle
  /** Fewer active ratings than this leave a gap. */
  minimum: number
  onChange: (changes: CompareChanges) => void
  /** What brings a symbol in. */
  add?: ReactNode
}

/** The consensus of several symbols over time, in one pane or each in its own, or as a table of the same points. */
export function ComparePanel(props: ComparePanelProps) {
  const { symbol, query, style, minimum, onChange, add } = props
  const compared = useCompared(props)
  const { lines, shown, common, found, name } = compared
  const { remove, toggle } = toActions(props)
  const areaId = useId()
  return (
    <figure
      aria-label={name}
      className="flex min-w-0 flex-col gap-2 rounded-lg border bg-surface p-4 pl-3"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 pl-2">
        <h2 className="text-lg">Compared</h2>
        {add}
      </div>
      <CompareToolbar
        areaId={areaId}
        onChange={onChange}
        onCommonRange={common === null ? null : () => onChange({ from: common })}
        save={<SaveChart toFacts={() => toSaved(props, compared)} />}
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
      {found !== undefined && (
        <CompareNotes bucket={found.bucket} lines={shown} minimum={minimum} scale={style.scale} />
      )}
    </figure>
  )
}

type Compared = ReturnType<typeof useCompared>

/** The answer for what is compared now, as lines. While the next one is loading, the lines of the one before. */
function useCompared({ symbol, vs, query, style, minimum }: ComparePanelProps) {
  const formats = useFormats()
  const keys = toComparedKeys(symbol, vs)
  const answer = useQuery(comparisonOptions(toCompareParams(keys, query)))
  const found = answer.data?.data
  const symbols = found?.symbols.filter((one) => keys.includes(toSymbolKey(one.symbol))) ?? []
  const lines = toComparedLines({ symbols }, keys, { minimum, scale: style.scale }, formats)
  const common = toCommonStart(symbols)
  const names = found ? lines.map((line) => line.symbol) : keys
  return {
    answer,
    found,
    keys,
    lines,
    shown: lines.filter((line) => !style.hidden.includes(line.key)),
    unknown: (found?.unknown ?? []).filter((key) => keys.includes(key)),
    common: common === query.from ? null : common,
    name: `Consensus compared, ${names.join(', ')}`,
  }
}

/** What is saved; null while what is seen is not what was asked for. */
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

function Drawn({ areaId, compared, style, onChange }: DrawnProps) {
  const { answer, found, keys, shown, name } = compared
  const { data, error, refetch, isPending, isPlaceholderData } = answer
  const drawn = style.asTable || shown.length === 0 ? 1 : shown.length
  return (
    <>
      {error !== null && (
        <FailureNotice
          error={error}
          onRetry={() => void refetch()}
          what="The comparison"
          {...(found ? { kept: 'What stands below was loaded earlier.' } : {})}
        />
      )}
      <div
        aria-busy={isPending || isPlaceholderData}
        className={classNames('min-w-0', isPlaceholderData && 'opacity-60')}
        id={areaId}
      >
        {found === undefined && error === null && (
          <Skeleton className="rounded-lg" height={toChartHeight(style.mode, keys.length)} />
        )}
        {data !== undefined && (
          <CompareArea
            asOf={data.meta.as_of}
            bucket={data.data.bucket}
            height={toChartHeight(style.mode, drawn)}
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
