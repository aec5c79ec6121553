import { formatCount, formatCounted } from '#components/format/numbers.ts'
import { Instant } from '#components/time/instant.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { Card } from '#components/ui/panels.tsx'
import type { Gaps, Status } from '#lib/contract/answers/status.ts'

const REASONS: Record<Gaps['listed'][number]['reason'], string> = {
  dump: 'also missing from the service’s dump',
  quarantine: 'received, but unreadable',
  unknown: 'unexplained until the next dump',
}

export function CompletenessPanel({ archive }: Pick<Status, 'archive'>) {
  const { complete_to, gaps, vanished } = archive
  const reasons = new Set(gaps.listed.map(({ reason }) => reason))
  const listed = gaps.listed.reduce((sum, { from, to }) => sum + to - from + 1, 0)
  const isAll = listed === gaps.ids
  const common = reasons.size === 1 ? ([...reasons][0] ?? null) : null
  return (
    <Card id="missing" title="What is missing">
      <p className="text-ink-2">
        {complete_to === null && 'Completeness is not confirmed yet.'}
        {complete_to !== null && gaps.unexplained === 0 && (
          <>
            Every rating that the service listed until <Instant seconds={complete_to} /> is stored
            here: each read overlapped the previous one without a gap.
          </>
        )}
        {complete_to !== null && gaps.unexplained > 0 && (
          <>
            Each read until <Instant seconds={complete_to} /> overlapped the previous one, but{' '}
            {formatCounted(gaps.unexplained, 'number')} {gaps.unexplained === 1 ? 'is' : 'are'}{' '}
            missing without an explanation. The next dump shows whether ratings are missing.
          </>
        )}{' '}
        {vanished > 0 &&
          `${formatCounted(vanished, 'rating')} that it no longer lists ${vanished === 1 ? 'is' : 'are'} kept and marked.`}
      </p>
      {gaps.ids > 0 && (
        <>
          <p className="text-ink-3">
            {formatCounted(gaps.ids, 'number')} between the first rating and the last{' '}
            {gaps.ids === 1 ? 'is' : 'are'} missing,{' '}
            {gaps.unexplained === 0
              ? `all explained${common && isAll ? `: ${REASONS[common]}` : ''}.`
              : `${formatCount(gaps.unexplained)} of them unexplained.`}
          </p>
          <ul
            aria-label="Missing numbers"
            className={
              common === null || !isAll ? 'columns-1 gap-x-8 sm:columns-2' : 'columns-4 gap-x-8'
            }
          >
            {gaps.listed.map(({ from, to, reason }) => (
              <li
                key={from}
                className="flex break-inside-avoid justify-between gap-3 border-b py-1"
              >
                <span className="whitespace-nowrap">{from === to ? from : `${from}–${to}`}</span>
                {(common === null || !isAll) && (
                  <span className="min-w-0 text-right text-sm text-ink-3">{REASONS[reason]}</span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}

export function QuarantinePanel({ rows }: { rows: number }) {
  if (rows === 0) return null
  return (
    <Card
      id="quarantine"
      title="Set aside"
      detail={`${formatCounted(rows, 'row')} that could not be read as a rating. Nothing else waits for them.`}
      action={
        <ButtonLink size="small" href="/status/quarantine">
          Show<span className="sr-only"> the rows that were set aside</span>
        </ButtonLink>
      }
    />
  )
}
