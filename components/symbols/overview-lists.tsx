'use client'

import { useZone } from '#components/address/outlook.tsx'
import { toZonedDay } from '#components/format/instants.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { OVERVIEW_CLIFF_DAYS, type Overview } from '#lib/contract/answers/symbols.ts'
import { ConsensusChange } from './consensus-change.tsx'
import { toOverviewHrefs } from './overview-hrefs.ts'
import { OverviewLine, OverviewList } from './overview-list.tsx'
import { CliffRule, ContestedRule, MoveRule } from './overview-rules.tsx'
import { STRIP_CLASSES } from './overview-sizes.ts'

type ListsProps = {
  overview: Overview
  /** The instant (seconds since 1970) that it was judged at. */
  asOf: number
}

/** Six short lists, each over a span that it names and with its n. Every line leads to what it counts. */
export function OverviewLists({ overview, asOf }: ListsProps) {
  return (
    <section
      aria-label="Overview, scrollable"
      className={STRIP_CLASSES}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <Labelled asOf={asOf} direction="upgraded" overview={overview} />
      <Labelled asOf={asOf} direction="downgraded" overview={overview} />
      <Moves asOf={asOf} overview={overview} />
      <Newest asOf={asOf} overview={overview} />
      <Contested asOf={asOf} overview={overview} />
      <Cliffs asOf={asOf} overview={overview} />
    </section>
  )
}

const LABELLED = {
  upgraded: {
    name: 'Most upgraded',
    one: 'upgrade',
    glyph: '↑',
    empty: 'Nobody upgraded a symbol.',
  },
  downgraded: {
    name: 'Most downgraded',
    one: 'downgrade',
    glyph: '↓',
    empty: 'Nobody downgraded a symbol.',
  },
}

function Labelled(props: ListsProps & { direction: 'upgraded' | 'downgraded' }) {
  const { overview, asOf, direction } = props
  const { formatCount, formatCounted } = useFormats()
  const hrefs = toOverviewHrefs(overview, asOf)
  const { name, one, glyph, empty } = LABELLED[direction]
  return (
    <OverviewList detail="7 days, n ratings" empty={empty} name={name}>
      {overview[direction].map(({ symbol, count }) => (
        <OverviewLine
          href={hrefs[direction](symbol)}
          key={symbol}
          symbol={symbol}
          title={formatCounted(count, one)}
        >
          <span aria-hidden>{glyph} </span>
          {formatCount(count)}
          <span className="sr-only"> {count === 1 ? one : `${one}s`}</span>
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
      detail="consensus, 7 days, from n=3"
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
      detail="disagree at least, n votes as last seen"
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
          ≥ {formatShare(toWholePercent(disagreement_low))}
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
      detail={`lapse in ${OVERVIEW_CLIFF_DAYS} days, of n active`}
      empty={`Nothing that 3 or more rate lapses within ${OVERVIEW_CLIFF_DAYS} days.`}
      name="Expiry cliffs"
      rule={<CliffRule />}
    >
      {overview.cliffs.map(({ symbol, active, lapsing, consensus, left }) => (
        <OverviewLine
          href={hrefs.cliff(symbol)}
          key={symbol}
          note={`➝ ${formatConsensus(left)}`}
          symbol={symbol}
          title={`Consensus ${formatConsensus(consensus)} ➝ ${formatConsensus(left)} if none is renewed`}
        >
          {formatCount(lapsing)} of {formatCount(active)}
        </OverviewLine>
      ))}
    </OverviewList>
  )
}
