'use client'

import { type ReactNode, useId } from 'react'
import type { ChartEmbed } from '#components/chart-files/chart-facts.ts'
import { SaveChart } from '#components/chart-files/save-chart.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { toJudged } from '#components/symbols/bucket-words.ts'
import { classNames } from '#components/ui/class-names.ts'
import { Skeleton } from '#components/ui/loading.tsx'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { CompareArea } from './compare-area.tsx'
import { toCompareFacts } from './compare-facts.ts'
import { CompareLegend } from './compare-legend.tsx'
import { CompareNotes, UnknownSymbols } from './compare-notes.tsx'
import { toChartHeight } from './compare-sizes.ts'
import type { CompareChanges } from './compare-style.ts'
import { CompareToolbar } from './compare-toolbar.tsx'
import { type Compared, type ComparedView, useCompared } from './use-compared.ts'

export type ComparePanelProps = ComparedView & {
  onChange: (changes: CompareChanges) => void
  /** Where the same comparison can be shown on another page. */
  embed: ChartEmbed
  /** What brings a symbol in. */
  add?: ReactNode
}

/** The consensus of several symbols over time, in one pane or each in its own, or as a table of the same points. */
export function ComparePanel(props: ComparePanelProps) {
  const { symbol, query, style, minimum, onChange, embed, add } = props
  const compared = useCompared(props)
  const { answer, lines, shown, common, name } = compared
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
        onWholeRange={
          query.from === null && query.to === null ? null : () => onChange({ from: null, to: null })
        }
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
          judged={toJudged(answer.data.data.bucket, query.asof, answer.data.meta.as_of)}
          lines={shown}
          minimum={minimum}
          scale={style.scale}
        />
      )}
    </figure>
  )
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

function Drawn({ areaId, compared, query, style, onChange }: DrawnProps) {
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
            height={toChartHeight(style.mode, drawn)}
            judged={toJudged(data.data.bucket, query.asof, data.meta.as_of)}
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
