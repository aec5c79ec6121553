'use client'

import { formatCountdown } from '#components/format/instant.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { ZonedInstant } from '#components/time/instant.tsx'
import { type Fact, Facts } from '#components/ui/facts.tsx'
import { Meter } from '#components/ui/meter.tsx'
import type { BudgetReport } from '#lib/contract/answers/status.ts'
import { StatusPanel } from './panel-frame.tsx'
import { toTook } from './run-text.ts'

/** What may still be asked of the service, and what it is kept for. `now` is the server's clock in seconds. */
export function BudgetPanel({ budget, now }: { budget: BudgetReport; now: number }) {
  const { formatCounted, formatCount } = useFormats()
  const { spent, reserved, costs } = budget
  const isLimited = budget.month.limit !== null
  const facts: Fact[] = [
    {
      term: 'Spent on',
      detail: `${formatCount(spent.follow)} following, ${formatCounted(spent.dump, 'dump')}, ${formatCount(spent.people)} asked for by people`,
    },
    ...(isLimited
      ? [
          {
            term: 'Kept back',
            detail: `${formatCounted(reserved, 'request')} for this month’s dumps`,
          },
        ]
      : []),
    {
      term: 'Following',
      detail:
        budget.follow_seconds === null
          ? 'not any more this month'
          : `every ${toTook(budget.follow_seconds)}`,
    },
    { term: 'A sync now', detail: `costs about ${formatCounted(costs.sync, 'request')}` },
    ...(isLimited ? [{ term: 'Lasts', detail: <RunOut budget={budget} /> }] : []),
    ...(budget.paused_until !== null && budget.paused_until > now
      ? [
          {
            term: 'Paused',
            detail: (
              <>
                for {formatCountdown(budget.paused_until, now)}, until{' '}
                <ZonedInstant seconds={budget.paused_until} />
              </>
            ),
          },
        ]
      : []),
  ]
  return (
    <StatusPanel id="requests" title="Requests to the service">
      <Meter label="This minute" {...budget.minute} />
      <Meter label="This month" {...budget.month} />
      <Facts rows={facts} />
    </StatusPanel>
  )
}

function RunOut({ budget: { runs_out_at, resets_at } }: { budget: BudgetReport }) {
  if (runs_out_at === null) {
    return (
      <>
        until it begins anew, <ZonedInstant seconds={resets_at} />
      </>
    )
  }
  return (
    <>
      until <ZonedInstant seconds={runs_out_at} className="text-rating-text-2" /> at this pace;
      begins anew <ZonedInstant seconds={resets_at} />
    </>
  )
}
