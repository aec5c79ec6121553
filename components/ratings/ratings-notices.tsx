'use client'

import type { ComponentProps, MouseEvent } from 'react'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { toZonedText, toZoneName } from '#components/format/instants.ts'
import { formatCount, formatCounted } from '#components/format/numbers.ts'
import { Button, isPlainClick } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/messages.tsx'
import type { PageInfo } from '#lib/contract/answers/envelope.ts'
import type { RatingsPage } from '#lib/contract/answers/ratings.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { toRatingsHref } from '#lib/contract/page-addresses.ts'
import {
  type ChangeQuery,
  type QueryProps,
  type RatingsView,
  withPage,
} from '#lib/contract/ratings-view.ts'

type Failure = { what: string; error: Error; kept?: string }

type LoadState = { page: RatingsPage | undefined; error: Error | null; countsError: Error | null }

export function selectFailure(
  { page, error, countsError }: LoadState,
  zone: string,
): Failure | null {
  if (error) {
    const kept = page
      ? `The rows below were loaded earlier, at ${toZonedText(page.meta.as_of, zone)} ${toZoneName(zone)}.`
      : 'No data is lost: the archive holds every rating that was fetched.'
    return { what: 'These ratings', error, kept }
  }
  if (!countsError) return null
  return {
    what: 'The counts',
    error: countsError,
    kept: 'The counts beside the filters may be out of date.',
  }
}

export const LoadFailure = ({ onRetry, ...failure }: Failure & { onRetry: () => void }) => (
  <FailureNotice {...failure} onRetry={onRetry} className="min-h-[86px]" />
)

type NewerRatingsProps = {
  isShown: boolean
  /** Null if unknown. */
  count: number | null
  onShow: () => void
}

/** Announced once, even if the count rises. */
export function NewerRatings({ isShown, count, onShow }: NewerRatingsProps) {
  return (
    <span className="relative h-[26px] w-0 self-start">
      <span role="status" className="sr-only">
        {isShown && 'Newer ratings can be shown.'}
      </span>
      {isShown && (
        <Button
          size="small"
          className="max-lg:fixed max-lg:inset-x-0 max-lg:bottom-[calc(var(--below)+var(--pager)+1rem)] max-lg:z-20 max-lg:mx-auto max-lg:w-fit lg:absolute lg:right-0 lg:bottom-full lg:mb-2"
          onClick={onShow}
        >
          <span aria-hidden className="dot dot-busy" />
          {toChange(count)} · <span className="text-accent">Show</span>
        </Button>
      )}
    </span>
  )
}

const toChange = (count: number | null): string =>
  count === null ? 'Ratings have changed' : formatCounted(count, 'new rating')

export function BeyondEnd({ query, change, info }: QueryProps & { info: PageInfo }) {
  return (
    <EmptyState
      title={`There is no page ${formatCount(query.page)}`}
      action={
        <QueryLink to={withPage(query, info.pages)} change={change} className="link">
          Go to the last page, {formatCount(info.pages)}
        </QueryLink>
      }
    >
      The {formatCount(info.total)} ratings of this view end earlier.
    </EmptyState>
  )
}

type QueryLinkProps = Omit<ComponentProps<'a'>, 'href' | 'onClick'> & {
  to: RatingsView
  change: ChangeQuery
}

export function QueryLink({ to, change, ...rest }: QueryLinkProps) {
  const onClick = (event: MouseEvent) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    change(() => to)
  }
  return <a href={withBase(toRatingsHref(to))} onClick={onClick} {...rest} />
}
