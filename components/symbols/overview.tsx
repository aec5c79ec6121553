'use client'

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useZone } from '#components/address/outlook.tsx'
import { toSymbolHref } from '#components/address/page-address.ts'
import { ratingsOfSymbol, toSymbolRatingsHref } from '#components/address/symbol-address.ts'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { toZonedDay, toZonedText, toZoneName } from '#components/format/instants.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { RulePopover } from '#components/league/league-table.tsx'
import { ConsensusChange } from '#components/marks/consensus-change.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { overviewOptions } from '#lib/client/query-options.ts'
import { OVERVIEW_CLIFF_DAYS, UNMOVED } from '#lib/contract/answers/limits.ts'
import type { Overview as OverviewFigures } from '#lib/contract/answers/symbols.ts'
import { seriesQuery } from '#lib/contract/api-queries.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { ratingsQuery, toQueryText } from '#lib/contract/ratings-query.ts'
import { AttentionLists } from './attention-lists.tsx'
import { OverviewLine, OverviewList } from './overview-list.tsx'
import { OverviewSkeleton } from './overview-skeleton.tsx'

/** What happened lately among the symbols, and what is pending: the head of their page, to be folded away. */
export function Overview({ asof }: { asof: number | null }) {
  const { data, error, refetch, isPlaceholderData } = useQuery(overviewOptions(asof))
  return (
    <details className="group rounded-lg border bg-surface" open>
      <summary className="flex cursor-default list-none items-baseline gap-2 rounded-lg px-4 py-1.5 hover:bg-sunk [&::-webkit-details-marker]:hidden">
        <span aria-hidden className="inline-block text-xs text-ink-3 group-open:rotate-90">
          ▸
        </span>
        <h2 className="text-base font-semibold">Overview</h2>
        {data && <Span from={data.data.since} to={data.meta.as_of} />}
      </summary>
      {error !== null && (
        <FailureNotice
          className="m-3"
          error={error}
          kept={data && 'What is shown below was loaded earlier.'}
          onRetry={() => void refetch()}
          what="The overview"
        />
      )}
      {data === undefined && error === null && <OverviewSkeleton />}
      {data !== undefined && (
        <div
          aria-busy={isPlaceholderData}
          className={classNames('border-t', isPlaceholderData && 'opacity-60')}
        >
          <OverviewLists asOf={data.meta.as_of} overview={data.data}>
            <AttentionLists asof={asof} />
          </OverviewLists>
        </div>
      )}
    </details>
  )
}

/** Over which days. */
function Span({ from, to }: { from: number; to: number }) {
  const zone = useZone()
  return (
    <span className="min-w-0 truncate text-sm text-ink-3 max-sm:text-xs max-sm:tracking-tight">
      {toZonedText(from, zone)} to {toZonedText(to, zone)} {toZoneName(zone)}
    </span>
  )
}

type ListsProps = {
  overview: OverviewFigures
  /** The instant (seconds since 1970) that it was judged at. */
  asOf: number
}

/** Six short lists and those of look-ups, each over a span that it names and with its n. Every line leads to what it counts. */
function OverviewLists({ overview, asOf, children: asked }: ListsProps & { children: ReactNode }) {
  return (
    <section
      aria-label="Overview, scrollable"
      className="overview"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <Labelled asOf={asOf} direction="upgraded" overview={overview} />
      <Labelled asOf={asOf} direction="downgraded" overview={overview} />
      <Moves asOf={asOf} overview={overview} />
      <Newest asOf={asOf} overview={overview} />
      <Contested asOf={asOf} overview={overview} />
      <Cliffs asOf={asOf} overview={overview} />
      {asked}
    </section>
  )
}

const LABELLED = {
  upgraded: {
    name: 'Most upgraded',
    one: 'upgrade',
    empty: 'Nobody upgraded a symbol.',
  },
  downgraded: {
    name: 'Most downgraded',
    one: 'downgrade',
    empty: 'Nobody downgraded a symbol.',
  },
}

function Labelled(props: ListsProps & { direction: 'upgraded' | 'downgraded' }) {
  const { overview, asOf, direction } = props
  const { formatCount, formatCounted } = useFormats()
  const hrefs = toOverviewHrefs(overview, asOf)
  const { name, one, empty } = LABELLED[direction]
  return (
    <OverviewList detail="7 days, n ratings" empty={empty} mark={direction} name={name}>
      {overview[direction].map(({ symbol, count }) => (
        <OverviewLine
          href={hrefs[direction](symbol)}
          key={symbol}
          symbol={symbol}
          title={formatCounted(count, one)}
        >
          <span>
            {formatCount(count)}
            <span className="sr-only">{` ${count === 1 ? one : `${one}s`}`}</span>
          </span>
        </OverviewLine>
      ))}
    </OverviewList>
  )
}

function Moves({ overview, asOf }: ListsProps) {
  const { formatConsensus, formatCount } = useFormats()
  const hrefs = toOverviewHrefs(overview, asOf)
  return (
    <OverviewList
      detail="consensus, 7 days, n of 3 or more"
      empty="No consensus of 3 or more ratings moved."
      name="Largest moves"
      rule={<MoveRule />}
    >
      {overview.moves.map(({ symbol, active, before, consensus, change }) => (
        <OverviewLine
          href={hrefs.move(symbol)}
          key={symbol}
          note={`n=${formatCount(active)}`}
          symbol={symbol}
          title={`Consensus ${formatConsensus(before)} ➝ ${formatConsensus(consensus)}`}
        >
          <ConsensusChange of={change} />
        </OverviewLine>
      ))}
    </OverviewList>
  )
}

function Newest({ overview, asOf }: ListsProps) {
  const zone = useZone()
  const { formatCount, formatCounted } = useFormats()
  const hrefs = toOverviewHrefs(overview, asOf)
  return (
    <OverviewList
      detail="first rated, n ratings since"
      empty="Nobody has rated a symbol."
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
  const { formatCount, formatCounted, formatShare } = useFormats()
  const hrefs = toOverviewHrefs(overview, asOf)
  return (
    <OverviewList
      detail="at least this share disagrees, n votes"
      empty="Nobody disagrees with an active rating."
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

/** Never more than the share is. */
const toWholePercent = (share: string) => Math.floor(100 * Number(share))

function Cliffs({ overview, asOf }: ListsProps) {
  const { formatConsensus, formatCount } = useFormats()
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

const UPGRADED = 2
const DOWNGRADED = 3

/** So much of what led to a cliff stands before it. */
const CLIFF_RANGE_SECONDS = 90 * 86_400

/** Where the lines of an overview lead: to absolute spans, so that a link shows tomorrow what it shows today. */
export function toOverviewHrefs({ since }: { since: number }, asOf: number) {
  // `to` is the first second that is not in a span any more.
  const to = asOf + 1
  const labelled = (action: number) => (symbol: string) =>
    toSymbolRatingsHref(symbol, { action, from: Math.max(0, since), to })
  const ranged = (from: number) => (symbol: string) =>
    toSymbolHref(symbol, toParams(seriesQuery, { from: Math.max(0, from), to }))
  return {
    upgraded: labelled(UPGRADED),
    downgraded: labelled(DOWNGRADED),
    move: ranged(since),
    newest: toSymbolHref,
    contested: toContestedHref,
    cliff: ranged(asOf - CLIFF_RANGE_SECONDS),
  }
}

/** A symbol's active ratings, those first that are disagreed with most. */
function toContestedHref(symbol: string): string {
  const query = {
    ...ratingsOfSymbol(symbol),
    state: 'active' as const,
    sort: { column: 'tally_disagree', direction: 'desc' } as const,
  }
  return `/${toQueryText(toParams(ratingsQuery, query))}`
}

/** Its button is higher than the line that it stands in. */
const IN_LINE = '-my-1'

/** How the moves of a week are ordered. */
const MoveRule = () => (
  <RulePopover className={IN_LINE} name="How moves are ranked">
    <p>
      The consensus now less the one 7 days before, where 3 or more were active at both. Ordered by
      its size times n / (n + {UNMOVED}), n being the fewer of both ends: as if {UNMOVED} more
      opinions had not moved. The weight is ours.
    </p>
  </RulePopover>
)

/** How the most contested are ordered. */
const ContestedRule = () => (
  <RulePopover className={IN_LINE} name="How contested symbols are ranked">
    <p>
      Of the votes on a symbol’s active ratings, as last seen, the share that disagrees: not the
      bare share, but the least that it may be.
    </p>
    <Wilson />
  </RulePopover>
)

/** How cliffs are ordered. */
const CliffRule = () => (
  <RulePopover className={IN_LINE} name="How expiring symbols are ranked">
    <p>
      How many of the active ratings expire within {OVERVIEW_CLIFF_DAYS} days, and ➝ what the
      consensus would be if nobody renewed. Symbols with 3 active ratings or more, by the least that
      the share may be.
    </p>
    <Wilson />
  </RulePopover>
)

/** The lower end of the interval, and where it comes from. */
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
