'use client'

import type { ReactNode } from 'react'
import { useZonedHref } from '#components/address/outlook.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import { ZonedDay } from '#components/time/instant.tsx'
import { TimeMachine } from '#components/time/time-machine.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import type { Opinion } from '#lib/contract/answers/opinion.ts'

type SymbolHeaderProps = {
  symbol: string
  /** Null where nobody had rated it yet. */
  opinion: Opinion | null
  /** All its ratings, on the page of ratings. */
  ratingsHref: string
  /** What else can be done with the page, left of the way to its ratings. */
  actions?: ReactNode
}

/** A symbol's name, how much is known of it, and what can be done with it. */
export function SymbolHeader({ symbol, opinion, ratingsHref, actions }: SymbolHeaderProps) {
  const { formatCounted } = useFormats()
  const zoned = useZonedHref()
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <h1 className="text-2xl wrap-anywhere">{symbol}</h1>
      {opinion && (
        <p className="text-ink-3">
          {formatCounted(opinion.ratings, 'rating')} by {formatCounted(opinion.users, 'user')} since{' '}
          <ZonedDay seconds={opinion.first_created_at} />
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2 sm:ml-auto">
        {actions}
        <TimeMachine />
        <ButtonLink href={zoned(ratingsHref)} variant="solid">
          All ratings
        </ButtonLink>
      </div>
    </div>
  )
}
