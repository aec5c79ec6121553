import type { CSSProperties } from 'react'
import { classNames } from './class-names.ts'

type SkeletonProps = {
  width?: CSSProperties['width']
  height?: CSSProperties['height']
  className?: string
}

export function Skeleton({ width, height = 12, className }: SkeletonProps) {
  return (
    <span
      aria-hidden
      style={{ width, height }}
      className={classNames('block max-w-full animate-breathe rounded-sm bg-line', className)}
    />
  )
}

type ProgressBarProps = {
  label: string
  /** `total` is null if unknown. */
  done: number
  total: number | null
  detail?: string
  labelHidden?: boolean
  className?: string
}

export function ProgressBar({
  label,
  done,
  total,
  detail,
  labelHidden = false,
  className,
}: ProgressBarProps) {
  const share = total ? Math.min(1, done / total) : null
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      {!labelHidden && (
        <div className="flex flex-wrap justify-between gap-x-3 text-sm">
          <span className="text-ink-2">{label}</span>
          {detail && <span className="text-ink-3">{detail}</span>}
        </div>
      )}
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={share === null ? undefined : Math.round(share * 100)}
        aria-valuetext={detail}
        className="bar-track h-1 overflow-hidden rounded-full"
      >
        <div
          style={{ width: `${(share ?? 1) * 100}%` }}
          className={classNames('bar-fill h-full', share === null && 'animate-breathe opacity-60')}
        />
      </div>
    </div>
  )
}
