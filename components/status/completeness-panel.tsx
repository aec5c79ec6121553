'use client'

import { useFormats } from '#components/format/use-formats.tsx'
import { ZonedInstant } from '#components/time/instant.tsx'
import type { Gaps, Status } from '#lib/contract/answers/status.ts'
import { StatusPanel } from './panel-frame.tsx'

const REASONS: Record<Gaps['listed'][number]['reason'], string> = {
  dump: 'the service’s own dump lacks them too',
  quarantine: 'came, but could not be read',
  unknown: 'not explained: the next dump tells',
}

/** Up to when nothing is missing, and what is missing by its number. */
export function CompletenessPanel({ archive }: Pick<Status, 'archive'>) {
  const { formatCount, formatCounted } = useFormats()
  const { complete_to, gaps, vanished } = archive
  const reasons = new Set(gaps.listed.map(({ reason }) => reason))
  const listed = gaps.listed.reduce((sum, { from, to }) => sum + to - from + 1, 0)
  const isAll = listed === gaps.ids
  // One reason for all is said once.
  const common = reasons.size === 1 ? ([...reasons][0] ?? null) : null
  return (
    <StatusPanel id="completeness" title="What is here, and what is not">
      <p className="max-w-[75ch] text-ink-2">
        {complete_to === null ? (
          'Nothing is proved complete yet.'
        ) : (
          <>
            Every rating that the service listed until <ZonedInstant seconds={complete_to} /> is
            here: each reading of it joined, without a gap, what was here before.
          </>
        )}{' '}
        {vanished > 0 &&
          `${formatCounted(vanished, 'rating')} that it has stopped listing ${vanished === 1 ? 'is' : 'are'} kept and marked.`}
      </p>
      {gaps.ids === 0 ? (
        <p className="text-ink-3">No number is missing between the first rating and the last.</p>
      ) : (
        <>
          <p className="text-ink-3">
            {formatCounted(gaps.ids, 'number')} between the first rating and the last{' '}
            {gaps.ids === 1 ? 'is' : 'are'} missing,{' '}
            {gaps.unexplained === 0
              ? `all of them explained${common && isAll ? `: ${REASONS[common]}` : ''}.`
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
    </StatusPanel>
  )
}
