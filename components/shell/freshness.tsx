'use client'

import { useQuery } from '@tanstack/react-query'
import { useFormats } from '#components/format/use-formats.tsx'
import { useZone } from '#components/time/zone.tsx'
import { ZonedLink } from '#components/time/zoned-link.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { useNow } from '#components/ui/use-now.ts'
import { ApiError } from '#lib/client/api-error.ts'
import { statusOptions } from '#lib/client/query-options.ts'
import {
  type FreshnessTone,
  type Freshness as Line,
  selectFreshness,
  selectUnreachable,
} from './select-freshness.ts'

const DOTS: Record<FreshnessTone, string> = {
  good: '',
  busy: 'dot-busy',
  waiting: 'dot-waiting',
  failed: 'dot-failed',
}

/** The dot of a state: its shape tells as much as its colour. Words must stand beside it. */
export const StateDot = ({ tone }: { tone: FreshnessTone }) => (
  <span aria-hidden className={classNames('dot', DOTS[tone])} />
)

const UNKNOWN: Line = { tone: 'busy', text: 'Looking at the archive', detail: null, reason: null }

/** How fresh the data are, on every page; leads to the status. */
export function Freshness() {
  const { data, error } = useQuery({ ...statusOptions(), refetchOnWindowFocus: true })
  const status = data?.data
  const now = useNow(status?.now ?? 0)
  const reader = { zone: useZone(), formats: useFormats() }
  if (!error)
    return <FreshnessLink line={status ? selectFreshness(status, now, reader) : UNKNOWN} />
  const line = selectUnreachable(status, now, reader)
  const isOffline = !(error instanceof ApiError) || error.type === 'offline'
  return (
    <FreshnessLink
      line={isOffline ? line : { ...line, text: 'Status unknown', reason: error.message }}
    />
  )
}

/**
 * Two short lines where there is no room for a long one: the second says how old the data are. It is as wide as the
 * longest "checked 59 min ago", so that nothing moves as time passes.
 */
function FreshnessLink({ line }: { line: Line }) {
  return (
    <ZonedLink
      href="/status"
      title={line.reason ?? 'What the sync did and will do'}
      className="flex min-w-0 items-center gap-2 rounded-sm py-1 text-sm text-ink-2 hover:text-ink"
    >
      <StateDot tone={line.tone} />
      <span className="min-w-0 tabular-nums lg:flex">
        <span className="block truncate max-lg:text-xs lg:shrink-0">
          <span className="sr-only">Status: </span>
          {line.text}
        </span>
        {line.detail && (
          <span className="block truncate max-lg:text-xs max-lg:text-ink-3 lg:min-w-[8.25rem]">
            <span className="whitespace-pre max-lg:sr-only"> · </span>
            {line.detail}
          </span>
        )}
      </span>
    </ZonedLink>
  )
}
