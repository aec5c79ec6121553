'use client'

import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import type { ChartColumn, ChartFacts } from '#components/charts/save/chart-facts.ts'
import { SaveChart } from '#components/charts/save/save-chart.tsx'
import { ArchiveWaiting } from '#components/feedback/archive-filling.tsx'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { IgnoredNotice } from '#components/feedback/ignored-notice.tsx'
import { formatDay } from '#components/format/instants.ts'
import { formatConsensus, formatCount, formatCounted } from '#components/format/numbers.ts'
import { ConsensusChange } from '#components/marks/consensus-change.tsx'
import { AsOfProvider, SymbolLink, useTimedTitle } from '#components/time/as-of.tsx'
import { TimeMachine } from '#components/time/time-machine.tsx'
import { Button } from '#components/ui/button.tsx'
import { Segmented } from '#components/ui/fields.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { PageHeader } from '#components/ui/page-layout.tsx'
import { Cell, HeaderCell, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { symbolMapOptions } from '#lib/client/symbol-options.ts'
import { useUrlQuery } from '#lib/client/url-query.ts'
import type { MapCell, SymbolMapAnswer } from '#lib/contract/answers/symbols.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { SymbolsTabs } from '../symbols-tabs.tsx'
import { toCellReading, toLegend } from './map-cells.ts'
import { DAY_OPTIONS, type MapView, mapView, toMapHref } from './map-view.ts'

const HEIGHT_PX = 640

const MapChart = dynamic(() => import('./map-chart.tsx').then((module) => module.MapChart), {
  loading: () => <Skeleton className="rounded-lg" height={HEIGHT_PX} />,
  ssr: false,
})

const COLORS = [
  { value: 'consensus', label: 'Consensus' },
  { value: 'change', label: 'Its change' },
] as const

export function SymbolMapScreen() {
  const { query: view, ignored, params, setQuery: change } = useUrlQuery(mapView)
  const { data, error, refetch, isPlaceholderData } = useQuery(
    symbolMapOptions({ days: view.days, asof: view.asof }),
  )
  useTimedTitle('Map of symbols')
  return (
    <AsOfProvider asof={view.asof}>
      <div className="flex flex-col gap-3">
        <PageHeader
          actions={<TimeMachine />}
          detail={data && `${formatCounted(data.meta.symbols, 'symbol')} with active ratings`}
          isDimmed={isPlaceholderData}
          title="Symbols"
        />
        <IgnoredNotice href={toMapHref(view)} ignored={ignored} params={params} />
        <SymbolsTabs current="map" />
        {error !== null && (
          <FailureNotice
            error={error}
            kept={data && 'The content below was loaded earlier.'}
            onRetry={() => void refetch()}
            what="The map"
          />
        )}
        {data === undefined && error === null && (
          <Skeleton className="rounded-lg" height={HEIGHT_PX} />
        )}
        {data?.data.length === 0 && <ArchiveWaiting onArrival={() => void refetch()} />}
        {data !== undefined && data.data.length > 0 && (
          <div id="rows" tabIndex={-1}>
            <MapFigure answer={data} change={change} isDimmed={isPlaceholderData} view={view} />
          </div>
        )}
      </div>
    </AsOfProvider>
  )
}

type MapFigureProps = {
  answer: SymbolMapAnswer
  view: MapView
  change: (changes: Partial<MapView>) => void
  isDimmed: boolean
}

function MapFigure({ answer, view, change, isDimmed }: MapFigureProps) {
  const { color, days, show } = view
  const cells = answer.data
  const [read, setRead] = useState<MapCell | null>(null)
  const name = `Map of symbols by ${color === 'consensus' ? 'consensus' : `change in ${days} days`}`
  return (
    <figure
      aria-label={name}
      aria-busy={isDimmed}
      className={`flex min-w-0 flex-col gap-2 rounded-lg border bg-surface p-4 max-sm:-mx-2 max-sm:p-2 ${isDimmed ? 'opacity-60' : ''}`}
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Segmented
          label="Color"
          labelShown
          onChange={(chosen) => change({ color: chosen })}
          options={COLORS}
          value={color}
        />
        {color === 'change' && (
          <div className="max-sm:order-last">
            <Segmented
              label="Days"
              labelShown
              onChange={(chosen) => change({ days: chosen })}
              options={DAY_OPTIONS}
              value={days}
            />
          </div>
        )}
        <div className="flex items-center gap-2 sm:ml-auto">
          <Button onClick={() => change({ show: show === null ? 'table' : null })} size="small">
            {show === null ? 'Show as table' : 'Show as map'}
          </Button>
          <SaveChart toFacts={() => toMapFacts(answer, view)} />
        </div>
      </div>
      {show === 'table' ? (
        <MapTable cells={cells} days={days} name={name} />
      ) : (
        <>
          <Legend cells={cells} color={color} />
          <p aria-hidden className="min-h-10 text-sm text-ink-2 sm:min-h-5">
            {read ? toCellReading(read, days) : 'Area: active ratings.'}
          </p>
          <MapChart
            cells={cells}
            color={color}
            days={days}
            height={HEIGHT_PX}
            name={name}
            onRead={setRead}
          />
        </>
      )}
      {answer.meta.symbols > cells.length && (
        <p className="text-sm text-ink-3">
          The {formatCount(cells.length)} symbols with the most active ratings.
        </p>
      )}
    </figure>
  )
}

const Legend = ({ color, cells }: Pick<MapView, 'color'> & { cells: readonly MapCell[] }) => (
  <ul
    aria-label="Colors"
    className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-2"
    data-pane="legend"
  >
    {toLegend(color, cells).map(({ step, text, glyph }) => (
      <li key={text} className="inline-flex items-center gap-1.5">
        <svg aria-hidden className="size-3" viewBox="0 0 12 12">
          <rect
            className={`map-cell rating-fill-${step ?? 'none'}`}
            data-step={step ?? 'none'}
            height="12"
            width="12"
          />
        </svg>
        {glyph} {text}
      </li>
    ))}
  </ul>
)

type MapTableProps = { cells: readonly MapCell[]; days: string; name: string }

function MapTable({ cells, days, name }: MapTableProps) {
  const hasSectors = cells.some(({ sector }) => sector !== null)
  return (
    <TableFrame aria-label={name} className="overflow-y-auto" style={{ maxHeight: HEIGHT_PX }}>
      <Table compact aria-label={name}>
        <TableHead className="sticky top-0 z-10 bg-surface">
          <HeaderCell>Symbol</HeaderCell>
          {hasSectors && <HeaderCell className="max-sm:hidden">Sector</HeaderCell>}
          <HeaderCell numeric>Active, n</HeaderCell>
          <HeaderCell numeric>Consensus</HeaderCell>
          <HeaderCell numeric>{days} days</HeaderCell>
        </TableHead>
        <tbody>
          {cells.map(({ symbol, sector, active, consensus, change }) => (
            <tr key={symbol}>
              <Cell>
                <SymbolLink symbol={symbol} />
              </Cell>
              {hasSectors && (
                <Cell className="max-sm:hidden">
                  <bdi>{sector === null ? '–' : toVisibleText(sector)}</bdi>
                </Cell>
              )}
              <Cell numeric>{formatCount(active)}</Cell>
              <Cell numeric>{formatConsensus(consensus)}</Cell>
              <Cell numeric>
                <ConsensusChange of={change} />
              </Cell>
            </tr>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}

function toMapFacts({ data, meta }: SymbolMapAnswer, { color, days }: MapView): ChartFacts {
  const day = formatDay(meta.as_of)
  const what = color === 'consensus' ? 'consensus' : `change of consensus in ${days} days`
  return {
    title: `Map of symbols by ${what}`,
    range: day,
    zone: 'UTC',
    rule: `Area: active ratings. Color: ${what}, the mean of the active ratings (1 Strong Sell to 5 Strong Buy).`,
    asOf: meta.as_of,
    completeTo: meta.complete_to,
    nameParts: ['map', color, ...(color === 'change' ? [`${days}d`] : []), day],
    columns: [...COLUMNS, { name: `change_${days}d`, kind: 'number' }],
    rows: data.map(({ symbol, name, sector, active, consensus, change }) => [
      symbol,
      name,
      sector,
      active,
      consensus,
      change,
    ]),
  }
}

const COLUMNS: readonly ChartColumn[] = [
  { name: 'symbol', kind: 'text' },
  { name: 'name', kind: 'text' },
  { name: 'sector', kind: 'text' },
  { name: 'active', kind: 'number' },
  { name: 'consensus', kind: 'number' },
]
