'use client'

import { ZonedLink } from '#components/address/outlook.tsx'
import { formatDay } from '#components/format/instants.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import type { Opinion } from '#lib/contract/answers/opinion.ts'
import { toSymbolRatingsHref } from './symbol-address.ts'

const DAY = 86_400

type CliffTableProps = { opinion: Opinion; at: number; asof: number | null }

/** How many of the active ratings lapse soon, and what would be left if none of them were renewed. */
export function CliffTable({ opinion: { symbol, cliff }, at, asof }: CliffTableProps) {
  const { formatConsensus, formatCount } = useFormats()
  const title = 'If nothing is renewed'
  return (
    <section>
      <h3 className="pb-1.5 text-sm">{title}</h3>
      <table aria-label={title} className="w-full border-separate border-spacing-0 text-base">
        <thead className="sr-only">
          <tr>
            <th scope="col">When</th>
            <th scope="col">Lapse</th>
            <th scope="col">Consensus left</th>
          </tr>
        </thead>
        <tbody>
          {cliff.map(({ days, lapsing, active, consensus }) => (
            <tr key={days} className="h-[31px] [&>*]:border-b last:[&>*]:border-b-0">
              <th className="text-left font-normal" scope="row">
                in {days} days
              </th>
              <td className="text-right">
                {lapsing === 0 ? (
                  'none lapse'
                ) : (
                  <ZonedLink
                    className="link"
                    href={toLapsingHref(symbol, { at, asof, days })}
                    title={`Ratings that expire by ${formatDay(at + days * DAY)}`}
                  >
                    {formatCount(lapsing)} lapse
                  </ZonedLink>
                )}
              </td>
              <td className="pl-3 text-right whitespace-nowrap">
                <span className="font-semibold">{formatConsensus(consensus)}</span>{' '}
                <span className="text-sm text-ink-3">n={formatCount(active)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The active ratings that expire on the days from `at` on; whole days of UTC, so the last one may hold some more. */
function toLapsingHref(
  symbol: string,
  { at, asof, days }: { at: number; asof: number | null; days: number },
): string {
  const names = Array.from({ length: days + 1 }, (_, index) => formatDay(at + index * DAY))
  return toSymbolRatingsHref(symbol, { days: names, state: 'active', asof })
}
