import type { ReactNode } from 'react'
import { ZonedLink } from '#components/address/outlook.tsx'
import { toSymbolRatingsHref, toWhyHref } from '#components/address/symbol-address.ts'
import { formatDay } from '#components/format/instants.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { CAUSE_DAYS } from '#lib/contract/answers/limits.ts'
import type { Cause, Opinion } from '#lib/contract/answers/opinion.ts'
import { toExpiringHref } from './opinion-figures.tsx'
import { codesOf, type Side, selectVerdict, type Verdict } from './verdict.ts'
import { toMove } from './verdict-text.ts'

const DAY = 86_400

type VerdictLineProps = {
  opinion: Opinion
  /** Fewer active ratings than this come to nothing. */
  minimum: number
  /** The instant that `opinion` is judged at, seconds since 1970. */
  at: number
  /** The instant that the address asks for; null is now. */
  asof: number | null
}

/** What a symbol's opinion comes to, before the figures that it is made of; each part leads to what it counts. */
export function VerdictLine({ opinion, minimum, at, asof }: VerdictLineProps) {
  const formats = useFormats()
  const { formatConsensus, formatCount, formatCounted } = formats
  const { symbol, active } = opinion
  if (active === 0) return null
  const verdict = selectVerdict(opinion, minimum)
  const activeHref = (side?: Side) =>
    toSymbolRatingsHref(symbol, { state: 'active', asof, ...(side && { rating: codesOf(side) }) })
  if (verdict === null) {
    return (
      <p className="max-w-[80ch] text-lg">
        Too few to say: <Part href={activeHref()}>{formatCounted(active, 'active rating')}</Part>.
      </p>
    )
  }
  const { label, consensus, days, change, cause, ahead, expiring, stand } = verdict
  const move = change === null ? null : toMove(change, formats)
  return (
    <p className="max-w-[110ch] text-lg text-pretty">
      {asof !== null && `On ${formatDay(asof)}: `}
      <span className="font-semibold">
        {label}, {formatConsensus(consensus)} of 5
      </span>{' '}
      over <Part href={activeHref()}>{formatCounted(active, 'active rating')}</Part>.{' '}
      {move !== null && (
        <>
          <Part href={toSymbolRatingsHref(symbol, { from: at - days * DAY, asof })}>
            {move.text}
          </Part>{' '}
          in {days} days
          {move.isMoved && (
            <>
              <Why at={at} asof={asof} cause={cause} symbol={symbol} /> (
              <Part href={toWhyHref(symbol, { from: at - days * DAY + 1, asof })}>why</Part>)
            </>
          )}
          .{' '}
        </>
      )}
      {expiring > 0 && (
        <>
          <Part href={toExpiringHref(symbol, { at, asof, days: ahead })}>
            {formatCount(expiring)} of {formatCount(active)}
          </Part>{' '}
          {expiring === 1 ? 'expires' : 'expire'} within {ahead} days.{' '}
        </>
      )}
      {stand?.kind === 'split' && (
        <>
          Opinions are split: <Part href={activeHref('buy')}>{formatCount(stand.buy)} say buy</Part>
          , <Part href={activeHref('sell')}>{formatCount(stand.sell)} say sell</Part>.
        </>
      )}
      {stand?.kind === 'agreed' && (
        <>
          Opinions agree:{' '}
          <Part href={activeHref(stand.side)}>
            {formatCount(stand.count)} of {formatCount(active)}
          </Part>{' '}
          say {stand.side}.
        </>
      )}{' '}
      <ZonedLink className="link text-base text-ink-3" href="/docs/opinion#the-symbol-page">
        Method
      </ZonedLink>
    </p>
  )
}

const Part = ({ href, children }: { href: string; children: ReactNode }) => (
  <ZonedLink className="link" href={href}>
    {children}
  </ZonedLink>
)

type WhyProps = Pick<VerdictLineProps, 'at' | 'asof'> & { symbol: string; cause: Verdict['cause'] }

/** What moved a consensus most. */
function Why({ cause: main, symbol, at, asof }: WhyProps) {
  const { formatCounted } = useFormats()
  if (main === null) return ', for no single reason'
  const { cause, count, ids } = main
  const text = formatCounted(count, ...NAMES[cause])
  // Too many to be named in an address: the sentence still counts them.
  const isNamed = cause !== 'ended' || ids.length > 0
  return (
    <>
      , mostly because of{' '}
      {isNamed ? <Part href={toCauseHref(symbol, main, { at, asof })}>{text}</Part> : text}
    </>
  )
}

const NAMES: Readonly<Record<Cause, readonly [one: string, several: string]>> = {
  upgraded: ['upgrade', 'upgrades'],
  downgraded: ['downgrade', 'downgrades'],
  initiated: ['new rating', 'new ratings'],
  repeated: ['repeated rating', 'repeated ratings'],
  ended: ['expired rating', 'expired ratings'],
}

const ACTIONS = { initiated: 1, upgraded: 2, downgraded: 3 } as const

/** The ratings that a cause counts: those that are active and were not then, or those that have ended since. */
export function toCauseHref(
  symbol: string,
  { cause, ids }: Pick<NonNullable<Verdict['cause']>, 'cause' | 'ids'>,
  { at, asof }: Pick<VerdictLineProps, 'at' | 'asof'>,
): string {
  if (cause === 'ended') return toSymbolRatingsHref(symbol, { ids, asof })
  const posted = { state: 'active', from: at - CAUSE_DAYS * DAY + 1, asof } as const
  const action = cause === 'repeated' ? { only: [], not: Object.values(ACTIONS) } : ACTIONS[cause]
  return toSymbolRatingsHref(symbol, { ...posted, action })
}
