import { Fragment, type ReactNode } from 'react'
import { formatDay } from '#components/format/instants.ts'
import { formatConsensus, formatCount, formatCounted } from '#components/format/numbers.ts'
import { ratingStyle } from '#components/marks/rating-marks.tsx'
import { AsOfLink } from '#components/time/as-of.tsx'
import { classNames } from '#components/ui/class-names.ts'
import type { Opinion } from '#lib/contract/answers/opinion.ts'
import type { MoveKind } from '#lib/contract/moves.ts'
import { toMovedHref, toSymbolRatingsHref, WHY } from '#lib/contract/page-addresses.ts'
import { toExpiringHref } from './opinion-figures.tsx'
import { codesOf, type Side, selectVerdict, type Verdict } from './verdict.ts'
import { toMove } from './verdict-text.ts'

type VerdictLineProps = {
  opinion: Opinion
  /** Seconds since 1970. */
  at: number
  /** Null is now. */
  asof: number | null
}

export function VerdictLine({ opinion, at, asof }: VerdictLineProps) {
  const { symbol, active } = opinion
  if (active === 0) return null
  const verdict = selectVerdict(opinion)
  const activeHref = (side?: Side) =>
    toSymbolRatingsHref(symbol, { state: 'active', asof, ...(side && { rating: codesOf(side) }) })
  if (verdict === null) {
    return (
      <p className="max-w-[80ch] text-lg">
        Too few to say: <Part href={activeHref()}>{formatCounted(active, 'active rating')}</Part>.
      </p>
    )
  }
  const { code, label, consensus, days, change, parts, ahead, expiring, stand } = verdict
  const move = change === null ? null : toMove(change)
  return (
    <p className="max-w-[110ch] text-lg text-pretty">
      {asof !== null && `On ${formatDay(asof)}: `}
      <span className={classNames('font-semibold', ratingStyle(code).text)}>
        <span aria-hidden>{ratingStyle(code).glyph}</span> {label}, {formatConsensus(consensus)} of
        5
      </span>{' '}
      over <Part href={activeHref()}>{formatCounted(active, 'active rating')}</Part>.{' '}
      {move !== null && (
        <>
          <a className="link" href={`#${WHY}`}>
            {move.text}
          </a>{' '}
          in {days} days
          <MovedBy asof={asof} opinion={opinion} parts={parts} />.{' '}
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
      <AsOfLink className="link text-base text-ink-3" href="/docs/definitions#the-symbol-page">
        Method<span className="sr-only"> of the verdict</span>
      </AsOfLink>
    </p>
  )
}

const Part = ({ href, children }: { href: string; children: ReactNode }) => (
  <AsOfLink className="link" href={href}>
    {children}
  </AsOfLink>
)

type PartsProps = Pick<VerdictLineProps, 'asof'> & { opinion: Opinion; parts: Verdict['parts'] }

function MovedBy({ opinion: { symbol, moves }, parts, asof }: PartsProps) {
  const span = { from: moves.from + 1, to: moves.to + 1, asof }
  const verbs = parts.map(({ change }) => (change.startsWith('-') ? 'took' : 'added'))
  return parts.map(({ kind, change }, index) => (
    <Fragment key={kind}>
      {index === 0 ? ': ' : ', '}
      <Part href={toMovedHref(symbol, { kind, ...span })}>{MOVED_BY[kind]}</Part>{' '}
      {verbs[index] === verbs[index - 1] ? '' : `${verbs[index]} `}
      {formatConsensus(change.replace('-', ''))}
    </Fragment>
  ))
}

const MOVED_BY: Readonly<Record<MoveKind, string>> = {
  initiated: 'first ratings',
  returned: 'users who returned',
  upgraded: 'upgrades',
  downgraded: 'downgrades',
  reiterated: 'repeated ratings',
  lapsed: 'expired ratings',
  vanished: 'ratings no longer listed',
}
