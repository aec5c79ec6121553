'use client'

import type { ReactNode } from 'react'
import { formatCounted } from '#components/format/numbers.ts'
import { OutsideText } from '#components/format/outside-text.tsx'
import { toComparedText } from '#components/format/texts.ts'
import { StarButton } from '#components/saved/star-button.tsx'
import { watchedSymbol } from '#components/saved/stars.ts'
import { useAsOfHref } from '#components/time/as-of.tsx'
import { ZonedDay } from '#components/time/instant.tsx'
import { TimeMachine } from '#components/time/time-machine.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { CopyButton } from '#components/ui/copy.tsx'
import type { Opinion } from '#lib/contract/answers/opinion.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

type SymbolHeaderProps = {
  symbol: string
  name: string | null
  /** Null if nobody had rated it yet. */
  opinion: Opinion | null
  ratingsHref: string
  actions?: ReactNode
  vs?: readonly string[]
}

export function SymbolName({ symbol, name = null }: { symbol: string; name?: string | null }) {
  const shown = toVisibleText(symbol)
  return (
    <>
      <h1 className="text-2xl wrap-anywhere">
        {shown}
        {name !== null && (
          <>
            {' '}
            <bdi className="text-lg font-normal text-ink-2">{toVisibleText(name)}</bdi>
          </>
        )}
      </h1>
      {shown !== symbol && <CopyButton text={symbol} what="symbol" />}
    </>
  )
}

export function SymbolHeader({
  symbol,
  name,
  opinion,
  ratingsHref,
  actions,
  vs = [],
}: SymbolHeaderProps) {
  const withAsOf = useAsOfHref()
  const isCompared = vs.length > 0
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      {isCompared ? (
        <h1 className="text-2xl wrap-anywhere">{toComparedText([symbol, ...vs])}</h1>
      ) : (
        <>
          <SymbolName name={name} symbol={symbol} />
          <StarButton isPage of={watchedSymbol(symbol)} />
          {opinion && <ActivityLine opinion={opinion} />}
        </>
      )}
      <div className="flex flex-wrap items-center gap-2 sm:ml-auto">
        {actions}
        <TimeMachine />
        {!isCompared && (
          <ButtonLink href={withAsOf(ratingsHref)} variant="solid">
            <span>
              Ratings{' '}
              <span className="max-sm:sr-only">
                of <OutsideText>{symbol}</OutsideText>
              </span>
            </span>
          </ButtonLink>
        )}
      </div>
    </div>
  )
}

function ActivityLine({ opinion }: { opinion: Opinion }) {
  return (
    <p className="text-ink-3">
      {formatCounted(opinion.ratings, 'rating')} by {formatCounted(opinion.users, 'user')} since{' '}
      <ZonedDay seconds={opinion.first_created_at} />
    </p>
  )
}
