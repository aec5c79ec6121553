'use client'

import { useFormats } from '#components/format/use-formats.tsx'

type MeterProps = {
  /** What is spent: "This minute". */
  label: string
  used: number
  /** Null where nothing limits it. */
  limit: number | null
}

const NEARLY = 0.9

/** How much of a limit is used. Nearly spent is said in words, not by colour alone. */
export function Meter({ label, used, limit }: MeterProps) {
  const { formatCount } = useFormats()
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
          {left === 0 ? 'Spent: the sync waits.' : `Only ${formatCount(left)} left.`}
        </p>
      )}
    </div>
  )
}
