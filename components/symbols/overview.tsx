'use client'

import { useQuery } from '@tanstack/react-query'
import { Children, type ReactNode, useId } from 'react'
import { AsOfLink } from '#components/address/as-of.tsx'
import { toSymbolHref } from '#components/address/page-address.ts'
import { ratingsOfSymbol } from '#components/address/symbol-address.ts'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { toZonedDay, toZonedText } from '#components/format/instants.ts'
import {
  formatConsensus,
  formatCount,
  formatCounted,
  formatShare,
} from '#components/format/numbers.ts'
import { ConsensusChange } from '#components/marks/consensus-change.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { RulePopover } from '#components/ui/help-popover.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import { overviewOptions } from '#lib/client/symbol-options.ts'
import { OVERVIEW_CLIFF_DAYS, UNMOVED } from '#lib/contract/answers/limits.ts'
import type { Overview as OverviewFigures } from '#lib/contract/answers/symbols.ts'
import { seriesQuery } from '#lib/contract/api-queries.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { ratingsQuery, toQueryText } from '#lib/contract/ratings-query.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { OverviewFrame, OverviewSkeleton } from './overview-skeleton.tsx'

export function Overview({ asof }: { asof: number | null }) {
  const { data, error, refetch, isPlaceholderData } = useQuery(overviewOptions(asof))
  return (
    <>
      <div className={classNames('min-h-6', isPlaceholderData && 'opacity-60')}>
        {data && <Movers asOf={data.meta.as_of} overview={data.data} />}
      </div>
      <OverviewFrame detail={data && <Span from={data.data.since} to={data.meta.as_of} />}>
        {error !== null && (
          <FailureNotice
            className="m-3"
            error={error}
            kept={data && 'The content below was loaded earlier.'}
            onRetry={() => void refetch()}
            what="The overview"
          />
        )}
        {data === undefined && error === null && <OverviewSkeleton />}
        {data !== undefined && (
          <section
            aria-busy={isPlaceholderData}
            aria-label="Overview"
            className={classNames('overview', isPlaceholderData && 'opacity-60')}
          >
            <Contested asOf={data.meta.as_of} overview={data.data} />
            <Cliffs asOf={data.meta.as_of} overview={data.data} />
            <Newest asOf={data.meta.as_of} overview={data.data} />
          </section>
        )}
      </OverviewFrame>
    </>
  )
}

function Span({ from, to }: { from: number; to: number }) {
  const zone = useZone()
  return (
    <span className="text-sm text-ink-3 max-sm:hidden">
      {toZonedText(from, zone)} to {toZonedText(to, zone)}
    </span>
  )
}

type ListsProps = {
  overview: OverviewFigures
  asOf: number
}

const MOVERS = 3

function Movers({ overview, asOf }: ListsProps) {
  const hrefs = toOverviewHrefs(overview, asOf)
  const movers = overview.moves.slice(0, MOVERS)
  if (movers.length === 0) return <p>No consensus of 3 or more ratings moved in 7 days.</p>
  return (
    <div className="flex items-baseline gap-x-3">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="text-ink-3">
          Largest moves<span className="max-sm:hidden"> of consensus in 7 days</span>
        </span>
        {movers.map(({ symbol, active, before, consensus, change }, index) => (
          <span className={index === MOVERS - 1 ? 'max-sm:hidden' : undefined} key={symbol}>
            <AsOfLink
              className="link font-semibold"
              href={hrefs.move(symbol)}
              title={`Consensus ${formatConsensus(before)} ➝ ${formatConsensus(consensus)}, n=${formatCount(active)}`}
            >
              <bdi>{toVisibleText(symbol)}</bdi>
            </AsOfLink>{' '}
            <ConsensusChange of={change} />
          </span>
        ))}
      </p>
      <MoveRule />
    </div>
  )
}

function Newest({ overview, asOf }: ListsProps) {
  const zone = useZone()
  const hrefs = toOverviewHrefs(overview, asOf)
  return (
    <OverviewList
      detail="first rated, n ratings since"
      empty="No symbol has been rated."
      name="Newest symbols"
    >
      {overview.newest.map(({ symbol, first_created_at, ratings }) => (
        <OverviewLine
          href={hrefs.newest(symbol)}
          key={symbol}
          note={`n=${formatCount(ratings)}`}
          symbol={symbol}
          title={`${formatCounted(ratings, 'rating')} since`}
        >
          {toZonedDay(first_created_at, zone)}
        </OverviewLine>
      ))}
    </OverviewList>
  )
}

function Contested({ overview, asOf }: ListsProps) {
  const hrefs = toOverviewHrefs(overview, asOf)
  return (
    <OverviewList
      detail="share that disagrees, n votes"
      empty="No active rating has a vote that disagrees."
      name="Most contested"
      rule={<ContestedRule />}
    >
      {overview.contested.map(({ symbol, agree, disagree, disagreement_low }) => (
        <OverviewLine
          href={hrefs.contested(symbol)}
          key={symbol}
          note={`n=${formatCount(agree + disagree)}`}
          symbol={symbol}
          title={`${formatCount(disagree)} of ${formatCounted(agree + disagree, 'vote')} on active ratings disagree. At least: the lower end of Wilson’s 95% interval`}
        >
          {`≥ ${formatShare(toWholePercent(disagreement_low))}`}
        </OverviewLine>
      ))}
    </OverviewList>
  )
}

/** Rounded down. */
const toWholePercent = (share: string) => Math.floor(100 * Number(share))

function Cliffs({ overview, asOf }: ListsProps) {
  const hrefs = toOverviewHrefs(overview, asOf)
  return (
    <OverviewList
      detail={`expire in ${OVERVIEW_CLIFF_DAYS} days, of n active`}
      empty={`No symbol with 3 or more active ratings has one that expires within ${OVERVIEW_CLIFF_DAYS} days.`}
      name="Expiring soon"
      rule={<CliffRule />}
    >
      {overview.cliffs.map(({ symbol, active, lapsing: expiring, consensus, left }) => (
        <OverviewLine
          href={hrefs.cliff(symbol)}
          key={symbol}
          note={`➝ ${formatConsensus(left)}`}
          symbol={symbol}
          title={`Consensus ${formatConsensus(consensus)} ➝ ${formatConsensus(left)} if none is renewed`}
        >
          {`${formatCount(expiring)} of ${formatCount(active)}`}
        </OverviewLine>
      ))}
    </OverviewList>
  )
}

const CLIFF_RANGE_SECONDS = 90 * 86_400

/** Absolute spans, so that links keep their meaning. */
export function toOverviewHrefs({ since }: { since: number }, asOf: number) {
  // `to` is exclusive.
  const to = asOf + 1
  const ranged = (from: number) => (symbol: string) =>
    toSymbolHref(symbol, toParams(seriesQuery, { from: Math.max(0, from), to }))
  return {
    move: ranged(since),
    newest: toSymbolHref,
    contested: toContestedHref,
    cliff: ranged(asOf - CLIFF_RANGE_SECONDS),
  }
}

function toContestedHref(symbol: string): string {
  const query = {
    ...ratingsOfSymbol(symbol),
    state: 'active' as const,
    sort: { column: 'tally_disagree', direction: 'desc' } as const,
  }
  return `/${toQueryText(toParams(ratingsQuery, query))}`
}

const IN_LINE = '-my-1'

const MoveRule = () => (
  <RulePopover className={IN_LINE} name="How moves are ranked">
    <p>
      Consensus now minus consensus 7 days ago, for symbols with 3 or more active ratings at both,
      largest first. Listed are those with the largest size times n / (n + {UNMOVED}), where n is
      the smaller count of the two: as if {UNMOVED} more opinions had not moved. The weight is our
      choice.
    </p>
  </RulePopover>
)

const ContestedRule = () => (
  <RulePopover className={IN_LINE} name="How contested symbols are ranked">
    <p>
      The share of votes on a symbol’s active ratings that disagree, as last seen, ranked by the
      lower end of its interval.
    </p>
    <Wilson />
  </RulePopover>
)

const CliffRule = () => (
  <RulePopover className={IN_LINE} name="How expiring symbols are ranked">
    <p>
      How many of the active ratings expire within {OVERVIEW_CLIFF_DAYS} days, and ➝ the consensus
      if none is renewed. Symbols with 3 or more active ratings, ranked by the lower end of the
      interval of the share.
    </p>
    <Wilson />
  </RulePopover>
)

const Wilson = () => (
  <>
    <p className="mt-2 rounded bg-sunk px-2 py-1 font-mono text-ink">
      (2x + z² − z√(z² + 4x(n − x)/n)) / (2n + 2z²)
    </p>
    <p className="mt-2">
      x of n, z = 1.96: the lower end of the 95% interval of E. B. Wilson, “Probable Inference, the
      Law of Succession, and Statistical Inference”, 1927.
    </p>
  </>
)

type OverviewListProps = {
  name: string
  detail: string
  rule?: ReactNode
  empty: string
  children: ReactNode
}

function OverviewList({ name, detail, rule, empty, children }: OverviewListProps) {
  const id = useId()
  return (
    <div>
      <h3 id={id}>{name}</h3>
      {rule}
      <p>{detail}</p>
      {Children.count(children) === 0 ? (
        <div>{empty}</div>
      ) : (
        <ol aria-labelledby={id}>{children}</ol>
      )}
    </div>
  )
}

type OverviewLineProps = {
  symbol: string
  href: string
  title: string
  note?: string
  children: ReactNode
}

function OverviewLine({ symbol, href, title, note, children }: OverviewLineProps) {
  return (
    <li>
      <AsOfLink href={href} title={title}>
        <b>{toVisibleText(symbol)}</b> {children}
        {note !== undefined && <small>{note}</small>}
      </AsOfLink>
    </li>
  )
}
