'use client'

import { formatCountdown } from '#components/format/instants.ts'
import { formatCount, formatCounted } from '#components/format/numbers.ts'
import { Instant } from '#components/time/instant.tsx'
import { Card, type Fact, Facts } from '#components/ui/panels.tsx'
import type { BudgetReport, Discovery, Status } from '#lib/contract/answers/status.ts'
import { toDiscoveryFacts, toTook } from './status-texts.ts'

export function BudgetPanel({ budget, now }: { budget: BudgetReport; now: number }) {
  const { spent, reserved, costs } = budget
  const isLimited = budget.month.limit !== null
  const purposes = [
    ...(spent.follow > 0 ? [`${formatCount(spent.follow)} following`] : []),
    ...(spent.dump > 0 ? [formatCounted(spent.dump, 'dump')] : []),
    ...(spent.people > 0 ? [`${formatCount(spent.people)} asked for by people`] : []),
  ]
  const facts: Fact[] = [
    ...(purposes.length > 0 ? [{ term: 'Spent on', detail: purposes.join(', ') }] : []),
    ...(isLimited && reserved > 0
      ? [
          {
            term: 'Reserved',
            detail: `${formatCounted(reserved, 'request')} for this month’s dumps`,
          },
        ]
      : []),
    {
      term: 'Following',
      detail:
        budget.follow_seconds === null
          ? 'no more this month'
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
                <Instant seconds={budget.paused_until} />
              </>
            ),
          },
        ]
      : []),
  ]
  return (
    <Card id="requests" title="Requests to the service">
      <Meter label="This minute" {...budget.minute} />
      <Meter label="This month" {...budget.month} />
      <Facts rows={facts} />
    </Card>
  )
}

function RunOut({ budget: { runs_out_at, resets_at } }: { budget: BudgetReport }) {
  if (runs_out_at === null) {
    return (
      <>
        until it resets, <Instant seconds={resets_at} />
      </>
    )
  }
  return (
    <>
      until <Instant seconds={runs_out_at} className="text-rating-text-2" /> at this pace; resets{' '}
      <Instant seconds={resets_at} />
    </>
  )
}

type MeterProps = {
  label: string
  used: number
  /** Null: unlimited. */
  limit: number | null
}

const NEARLY = 0.9

function Meter({ label, used, limit }: MeterProps) {
  const share = limit ? Math.min(1, used / limit) : 0
  const left = limit === null ? null : Math.max(0, limit - used)
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap justify-between gap-x-3">
        <span className="text-ink-2">{label}</span>
        <span>
          {formatCount(used)}{' '}
          <span className="text-ink-3">
            {limit === null ? 'no limit' : `of ${formatCount(limit)}`}
          </span>
        </span>
      </div>
      {limit !== null && (
        // biome-ignore lint/a11y/useSemanticElements: a native meter cannot be drawn alike in every browser
        <div
          role="meter"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={Math.min(used, limit)}
          aria-valuetext={`${formatCount(used)} of ${formatCount(limit)}`}
          className="bar-track h-1 overflow-hidden rounded-full"
        >
          <div style={{ width: `${share * 100}%` }} className="bar-fill h-full" />
        </div>
      )}
      {left !== null && share >= NEARLY && (
        <p className="text-sm text-rating-text-2">
          {left === 0 ? 'Used up: the sync waits.' : `Only ${formatCount(left)} left.`}
        </p>
      )}
    </div>
  )
}

export function ServicePanel({ service, discovery }: Pick<Status, 'service' | 'discovery'>) {
  const facts: Fact[] = [
    {
      term: 'Service',
      detail: service.kind === 'embedded' ? 'embedded in this dashboard' : 'remote',
    },
    { term: 'Address', detail: <span className="font-mono text-sm">{service.address}</span> },
    ...(discovery ? toDiscoveryFacts(discovery) : []),
  ]
  return (
    <Card id="service" title="Service behavior" detail={<LookedAt discovery={discovery} />}>
      <Facts rows={facts} />
    </Card>
  )
}

function LookedAt({ discovery }: { discovery: Discovery | null }) {
  if (!discovery || discovery.checked_at === null) return 'learned by reading it'
  return (
    <>
      learned by reading it, <Instant seconds={discovery.checked_at} />
    </>
  )
}
