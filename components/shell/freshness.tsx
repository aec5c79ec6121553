'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { classNames } from '#components/ui/class-names.ts'
import { useNow } from '#components/ui/use-now.ts'
import { ApiError } from '#lib/client/fetch-api.ts'
import { statusOptions } from '#lib/client/query-options.ts'
import type { Status } from '#lib/contract/answers/state.ts'
import { type FreshnessTone, type Freshness as Line, selectFreshness } from './select-freshness.ts'

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

const UNREACHABLE: Line = {
  tone: 'failed',
  text: 'Dashboard unreachable',
  detail: 'what you see may be old',
  reason: null,
}
const notReady = (reason: string): Line => ({
  tone: 'failed',
  text: 'Status unknown',
  detail: 'what you see may be old',
  reason,
})
const UNKNOWN: Line = { tone: 'busy', text: 'Looking at the archive', detail: null, reason: null }

/** How fresh the data are, on every page; leads to the status. */
export function Freshness() {
  const { data, error } = useQuery({ ...statusOptions(), refetchOnWindowFocus: true })
  if (error) {
    const offline = !(error instanceof ApiError) || error.type === 'offline'
    return <FreshnessLink line={offline ? UNREACHABLE : notReady(error.message)} />
  }
  return data ? <KnownFreshness status={data.data} /> : <FreshnessLink line={UNKNOWN} />
}

const KnownFreshness = ({ status }: { status: Status }) => (
  <FreshnessLink line={selectFreshness(status, useNow(status.now))} />
)

function FreshnessLink({ line }: { line: Line }) {
  return (
    <Link
      href="/status"
      title={line.reason ?? 'What the sync did and will do'}
      className="flex min-w-0 items-center gap-2 rounded-sm py-1 text-sm text-ink-2 hover:text-ink"
    >
      <StateDot tone={line.tone} />
      <span className="truncate">
        <span className="sr-only">Status: </span>
        {line.text}
        {line.detail && <span className="max-lg:sr-only"> · {line.detail}</span>}
      </span>
    </Link>
  )
}
