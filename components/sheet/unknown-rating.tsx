'use client'

import { usePathname } from 'next/navigation'
import { toPathText } from '#components/address/path-text.ts'
import { toVisibleText } from '#components/status/visible-text.ts'
import { useZonedHref } from '#components/time/zoned-link.tsx'
import { AskAnew } from '#components/time-machine/ask-anew.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { parseRatingId } from '#lib/contract/rating-fields.ts'

const LONGEST = 24

/** Says that no rating has that id, or that it is none. */
export function UnknownRating() {
  const asked = toPathText((usePathname() ?? '').split('/').at(-1) ?? '')
  const zoned = useZonedHref()
  const isId = parseRatingId(asked) !== null
  const letters = [...asked]
  const shown = toVisibleText(letters.slice(0, LONGEST).join(''))
  const rest = letters.length > LONGEST ? '…' : ''
  const title = isId ? `There is no rating ${asked}` : `“${shown}${rest}” is no rating’s id`
  return (
    <div className="py-6">
      <AskAnew />
      <h1 className="sr-only">{title}</h1>
      <EmptyState action={<ButtonLink href={zoned('/')}>All ratings</ButtonLink>} title={title}>
        {isId
          ? 'No rating in the archive has this id, or none had at the instant that the address names.'
          : 'Ratings are known by their number alone, like 12.'}
      </EmptyState>
    </div>
  )
}
