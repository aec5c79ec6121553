'use client'

import { usePathname } from 'next/navigation'
import { NearLinks } from '#components/feedback/near-links.tsx'
import { toZonedDay } from '#components/format/instants.ts'
import { useAsOfHref } from '#components/time/as-of.tsx'
import { ZonedDay } from '#components/time/instant.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/messages.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import type { UserRow } from '#lib/contract/answers/users.ts'
import { asofQuery } from '#lib/contract/api-queries.ts'
import { parseUserId, toSearchHref, toUserHref } from '#lib/contract/page-addresses.ts'
import { toPathText } from '#lib/contract/path-part.ts'
import { toParams } from '#lib/contract/query-schema.ts'

export function UnknownUser({ near }: { near: readonly Pick<UserRow, 'user_id' | 'ratings'>[] }) {
  const asked = toPathText((usePathname() ?? '').split('/').at(-1) ?? '')
  const isNumber = parseUserId(asked) !== null
  const title = isNumber ? `User ${asked} has no ratings` : `“${asked}” is not the number of a user`
  return (
    <div id="rows" tabIndex={-1} className="py-6">
      <h1 className="sr-only">{title}</h1>
      <EmptyState
        action={
          <>
            {isNumber && (
              <ButtonLink href={toSearchHref('/users', asked)}>Search for {asked}</ButtonLink>
            )}
            <ButtonLink href="/users">All users</ButtonLink>
          </>
        }
        title={title}
      >
        <p>
          {isNumber
            ? 'The archive holds no rating by that user, active or ended.'
            : 'Addresses of users end in a number, such as 12.'}
        </p>
        <NearLinks
          label="Did you mean"
          links={near.map(({ user_id, ratings }) => ({
            name: `#${user_id}`,
            href: toUserHref(user_id),
            ratings,
          }))}
        />
      </EmptyState>
    </div>
  )
}

type NotYetRatedProps = { userId: number; asof: number; first: number }

/** Seconds since 1970. */
export function NotYetRated({ userId, asof, first }: NotYetRatedProps) {
  const withAsOf = useAsOfHref()
  const zone = useZone()
  return (
    <div id="rows" tabIndex={-1} className="rounded-lg border bg-surface">
      <EmptyState
        action={
          <ButtonLink href={withAsOf(toUserHref(userId, toParams(asofQuery, { asof: first })))}>
            Go to their first rating
          </ButtonLink>
        }
        title={`User ${userId} had not rated by ${toZonedDay(asof, zone)}`}
      >
        The first rating came on <ZonedDay seconds={first} />.
      </EmptyState>
    </div>
  )
}
