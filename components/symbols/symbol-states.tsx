'use client'

import { useZonedHref } from '#components/address/outlook.tsx'
import { formatDay } from '#components/format/instants.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { EmptyState, Notice } from '#components/ui/messages.tsx'
import type { Opinion } from '#lib/contract/answers/opinion.ts'
import { toAsofParameter } from '#lib/contract/instant-text.ts'
import { toSymbolHref, toSymbolRatingsHref } from './symbol-address.ts'

type NotYetRatedProps = { symbol: string; asof: number; first: number }

/** The page stands at an instant before the symbol's first rating; `asof` and `first` in seconds since 1970. */
export function NotYetRated({ symbol, asof, first }: NotYetRatedProps) {
  const zoned = useZonedHref()
  return (
    <div className="rounded-lg border bg-surface">
      <EmptyState
        action={
          <>
            <ButtonLink href={zoned(`${toSymbolHref(symbol)}?asof=${toAsofParameter(first)}`)}>
              As of {formatDay(first)}
            </ButtonLink>
            <ButtonLink href={zoned(toSymbolHref(symbol))}>As of now</ButtonLink>
          </>
        }
        title={`Nobody had rated ${symbol} by ${toAsofParameter(asof)}`}
      >
        <p>The first rating came on {formatDay(first)}.</p>
      </EmptyState>
    </div>
  )
}

type NobodyActiveProps = { opinion: Opinion; asof: number | null; isToCome: boolean }

/** Every opinion on a symbol has expired: says so, and leads to them. */
export function NobodyActive({ opinion, asof, isToCome }: NobodyActiveProps) {
  const { formatCount } = useFormats()
  const zoned = useZonedHref()
  const count = formatCount(opinion.ratings)
  const when = asof === null ? 'is in force now' : `was in force on ${formatDay(asof)}`
  return (
    <Notice
      action={
        <ButtonLink
          href={zoned(toSymbolRatingsHref(opinion.symbol, { state: 'expired', asof }))}
          size="small"
        >
          Show expired ({count})
        </ButtonLink>
      }
      title={
        isToCome
          ? 'If nothing is renewed, nobody’s rating is left by then'
          : `Nobody’s rating ${when}`
      }
    >
      {count} {opinion.ratings === 1 ? 'has' : 'have'} expired. The chart shows the past.
    </Notice>
  )
}
