import type { ReactNode } from 'react'
import { ZonedLink } from '#components/address/outlook.tsx'
import { toSymbolRatingsHref } from '#components/address/symbol-address.ts'
import { formatDay } from '#components/format/instants.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import type { Opinion } from '#lib/contract/answers/opinion.ts'
import { toExpiringHref } from './opinion-figures.tsx'
import { codesOf, type Side, selectVerdict } from './verdict.ts'

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
  const { formatConsensus, formatCount, formatCounted } = useFormats()
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
  const { label, consensus, days, change, ahead, expiring, stand } = verdict
  return (
    <p className="max-w-[80ch] text-lg">
      {asof !== null && `On ${formatDay(asof)}: `}
      <span className="font-semibold">
        {label}, {formatConsensus(consensus)} of 5
      </span>{' '}
      over <Part href={activeHref()}>{formatCounted(active, 'active rating')}</Part>.{' '}
      {change !== null && (
        <>
          <Part href={toSymbolRatingsHref(symbol, { from: at - days * DAY, asof })}>
            {toMove(formatConsensus(change.replace('-', '')), change)}
          </Part>{' '}
          in {days} days.{' '}
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
      )}
    </p>
  )
}

const Part = ({ href, children }: { href: string; children: ReactNode }) => (
  <ZonedLink className="link" href={href}>
    {children}
  </ZonedLink>
)

/** `size` is the change without its sign, as it is written. */
function toMove(size: string, change: string): string {
  if (!/[1-9]/.test(size)) return 'Unchanged'
  return `${change.startsWith('-') ? 'Down' : 'Up'} ${size}`
}
