'use client'

import { useQuery } from '@tanstack/react-query'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { formatConsensus, formatCount } from '#components/format/numbers.ts'
import { ConsensusChange } from '#components/marks/consensus-change.tsx'
import { AsOfLink } from '#components/time/as-of.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { HelpPopover } from '#components/ui/popover.tsx'
import { moversOptions } from '#lib/client/symbol-options.ts'
import { CONSENSUS_MIN, UNMOVED } from '#lib/contract/answers/limits.ts'
import type { MoversAnswer } from '#lib/contract/answers/symbols.ts'
import { seriesQuery } from '#lib/contract/api-queries.ts'
import { toSymbolHref } from '#lib/contract/page-addresses.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

export function Movers({ asof }: { asof: number | null }) {
  const { data, error, refetch, isPlaceholderData } = useQuery(moversOptions(asof))
  return (
    <div className={classNames('min-h-6', isPlaceholderData && 'opacity-60')}>
      {error !== null && (
        <FailureNotice
          error={error}
          kept={data && 'The content below was loaded earlier.'}
          onRetry={() => void refetch()}
          what="The largest moves"
        />
      )}
      {data && <MoversLine answer={data} />}
    </div>
  )
}

const SHOWN = 3

function MoversLine({ answer: { data, meta } }: { answer: MoversAnswer }) {
  const movers = data.moves.slice(0, SHOWN)
  if (movers.length === 0)
    return <p>No consensus of {CONSENSUS_MIN} or more ratings moved in 7 days.</p>
  // `to` is exclusive.
  const span = toParams(seriesQuery, { from: data.since, to: meta.as_of + 1 })
  return (
    <div className="flex items-baseline gap-x-3">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="text-ink-3">
          Largest moves<span className="max-sm:hidden"> of consensus in 7 days</span>
        </span>
        {movers.map(({ symbol, active, before, consensus, change }, index) => (
          <span className={index === SHOWN - 1 ? 'max-sm:hidden' : undefined} key={symbol}>
            <AsOfLink
              className="link font-semibold"
              href={toSymbolHref(symbol, span)}
              title={`Consensus ${formatConsensus(before)} ➝ ${formatConsensus(consensus)}, n=${formatCount(active)}`}
            >
              <bdi>{toVisibleText(symbol)}</bdi>
            </AsOfLink>{' '}
            <ConsensusChange of={change} />
          </span>
        ))}
      </p>
      <HelpPopover label="How moves are ranked">
        <p>
          Consensus now minus consensus 7 days ago, for symbols with {CONSENSUS_MIN} or more active
          ratings at both, largest first. Listed are those with the largest size times n / (n +{' '}
          {UNMOVED}), where n is the smaller count of the two: as if {UNMOVED} more opinions had not
          moved. The weight is our choice.
        </p>
      </HelpPopover>
    </div>
  )
}
