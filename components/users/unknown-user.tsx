'use client'

import { usePathname } from 'next/navigation'
import { toPathText } from '#components/address/path-text.ts'
import { ButtonLink } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { parseUserId } from './user-address.ts'

/** Says that nobody with that number has rated, or that it is no number. */
export function UnknownUser() {
  const asked = toPathText((usePathname() ?? '').split('/').at(-1) ?? '')
  const isNumber = parseUserId(asked) !== null
  const title = isNumber ? `No user ${asked} has rated` : `“${asked}” is no user’s number`
  return (
    <div className="py-6">
      <h1 className="sr-only">{title}</h1>
      <EmptyState
        action={
          <>
            {isNumber && <ButtonLink href={`/users?q=${asked}`}>Search for {asked}</ButtonLink>}
            <ButtonLink href="/users">All users</ButtonLink>
          </>
        }
        title={title}
      >
        {isNumber
          ? 'The archive holds no rating by that user, active or expired.'
          : 'Users are known by their number alone, like 12.'}
      </EmptyState>
    </div>
  )
}
