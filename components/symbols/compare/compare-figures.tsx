'use client'

import { useQueries } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatConsensus, formatCount, formatMeanPrediction } from '#components/format/numbers.ts'
import { ConsensusChange } from '#components/marks/consensus-change.tsx'
import { toGivenText } from '#components/symbols/series/series-texts.ts'
import { AsOfLink } from '#components/time/as-of.tsx'
import { Instant } from '#components/time/instant.tsx'
import { Cell, HeaderCell, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { opinionOptions } from '#lib/client/symbol-options.ts'
import { CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
import type { Opinion } from '#lib/contract/answers/opinion.ts'
import { asofQuery } from '#lib/contract/api-queries.ts'
import { toSymbolHref } from '#lib/contract/page-addresses.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

type CompareFiguresProps = {
  symbols: readonly { key: string; symbol: string }[]
  /** Seconds since 1970; null is now. */
  asof: number | null
}

export function CompareFigures({ symbols, asof }: CompareFiguresProps) {
  const answers = useQueries({ queries: symbols.map(({ key }) => opinionOptions(key, asof)) })
  if (symbols.length < 2) return null
  const name = 'Figures side by side'
  return (
    <TableFrame aria-label={name} bare className="rounded-md border">
      <Table compact aria-label={name}>
        <TableHead>
          <HeaderCell className={FIRST}>
            <span className="sr-only">Figure</span>
          </HeaderCell>
          {symbols.map(({ key, symbol }) => (
            <HeaderCell key={key} numeric>
              <AsOfLink
                className="font-semibold text-ink hover:underline"
                href={toSymbolHref(symbol, toParams(asofQuery, { asof }))}
              >
                {toVisibleText(symbol)}
              </AsOfLink>
            </HeaderCell>
          ))}
        </TableHead>
        <tbody>
          {FIGURES.map(({ label, title, toText }) => (
            <tr key={label}>
              <th className={`${FIRST} pl-4 text-left font-normal`} scope="row" title={title}>
                {label}
              </th>
              {symbols.map(({ key }, index) => {
                const opinion = answers[index]?.data?.data
                return (
                  <Cell key={key} numeric className={FIGURE}>
                    {opinion ? toText(opinion) : toAbsence(answers[index])}
                  </Cell>
                )
              })}
            </tr>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}

const FIRST =
  'sticky left-0 z-1 min-w-28 max-w-44 bg-surface text-ink-2 max-sm:w-22 max-sm:min-w-22 max-sm:pr-1 max-sm:pl-2! max-sm:whitespace-normal'
const FIGURE = 'max-sm:min-w-[5.375rem] max-sm:px-1.5 max-sm:py-0.5 max-sm:whitespace-normal'

const toAbsence = (answer: { isError: boolean } | undefined) =>
  answer?.isError ? <span className="text-ink-3">not loaded</span> : '…'

type Figure = {
  label: string
  title: string
  toText: (opinion: Opinion) => ReactNode
}

const overEnough =
  (toText: (opinion: Opinion) => ReactNode): Figure['toText'] =>
  (opinion) =>
    opinion.active < CONSENSUS_MIN ? <span className="text-ink-3">too few</span> : toText(opinion)

const FIGURES: readonly Figure[] = [
  {
    label: 'Consensus, 1–5',
    title: 'The mean of the active ratings',
    toText: overEnough(({ consensus }) => (
      <span className="font-semibold">{formatConsensus(consensus)}</span>
    )),
  },
  {
    label: 'Active, n',
    title: 'How many ratings the figures are over',
    toText: ({ active }) => formatCount(active),
  },
  {
    label: 'Change, 90 days',
    title: 'The consensus minus the one 90 days earlier',
    toText: overEnough(({ changes }) => (
      <ConsensusChange of={changes.find(({ days }) => days === 90)?.change ?? null} />
    )),
  },
  {
    label: '90% interval',
    title: 'The interval that the league ranks by: the fewer ratings, the wider',
    toText: overEnough(
      ({ consensus_low: low, consensus_high: high }) =>
        `${formatConsensus(low)} to ${formatConsensus(high)}`,
    ),
  },
  {
    label: 'Dispersion',
    title: 'How much opinions differ: the standard deviation of the active ratings',
    toText: overEnough(({ dispersion }) => formatConsensus(dispersion)),
  },
  {
    label: 'Prediction, median',
    title: 'How far users expect the price to move: half expect more, half less',
    toText: overEnough(({ prediction }) => toGivenText(prediction.median)),
  },
  {
    label: 'Middle half',
    title: 'The predictions without the lowest and the highest quarter',
    toText: overEnough(({ prediction: { q1, q3 } }) => `${toGivenText(q1)} to ${toGivenText(q3)}`),
  },
  {
    label: 'Prediction, mean',
    title: 'The mean of the active predictions',
    toText: overEnough(({ prediction }) => formatMeanPrediction(prediction.mean)),
  },
  {
    label: 'Expire in 30 days',
    title: 'Active ratings that stop counting by themselves within 30 days',
    toText: ({ cliff }) => formatCount(cliff.find(({ days }) => days === 30)?.lapsing ?? 0),
  },
  {
    label: 'Ratings, all',
    title: 'All posted until then',
    toText: ({ ratings }) => formatCount(ratings),
  },
  {
    label: 'Last rated',
    title: 'When the latest was posted',
    toText: ({ last_created_at }) => (
      <Instant seconds={last_created_at} className="max-sm:text-right" />
    ),
  },
]
