import { formatBytes, formatCount } from '#components/format/numbers.ts'
import type { Progress } from '#lib/contract/answers/status.ts'

const STEPS: Record<Progress['step'], string> = {
  fetching: 'Fetching',
  verifying: 'Verifying',
  importing: 'Importing',
  deriving: 'Working out changes',
  reading: 'Reading',
  discovering: 'Checking the service',
}

export const describeStep = ({ step }: Pick<Progress, 'step'>): string => STEPS[step]

/** `45,000 of 100,000 rows`, `12 pages so far`, or ''. */
export function describeProgress({
  done,
  total,
  unit,
}: Pick<Progress, 'done' | 'total' | 'unit'>): string {
  if (done === 0 && total === null) return ''
  const format = unit === 'bytes' ? formatBytes : formatCount
  const text = total === null ? format(done) : `${format(done)} of ${format(total)}`
  const whole = unit === 'bytes' ? text : `${text} ${unit}`
  return total === null ? `${whole} so far` : whole
}

type Pace = Pick<Progress, 'unit' | 'per_second' | 'remaining_seconds'>

/** `12,400 rows/s · about 40 s left`, or ''. */
export function describePace({ unit, per_second, remaining_seconds }: Pace): string {
  const parts: string[] = []
  if (per_second !== null && per_second >= 1) {
    parts.push(
      unit === 'bytes' ? `${formatBytes(per_second)}/s` : `${formatCount(per_second)} ${unit}/s`,
    )
  }
  const left = describeRemaining({ remaining_seconds })
  if (left !== null) parts.push(left)
  return parts.join(' · ')
}

const MINUTE = 60
const HOUR = 3600

/** Null if unknown. */
export function describeRemaining({
  remaining_seconds: seconds,
}: Pick<Progress, 'remaining_seconds'>): string | null {
  if (seconds === null) return null
  if (seconds < 5) return 'a few seconds left'
  if (seconds < MINUTE) return `about ${Math.ceil(seconds / 5) * 5} s left`
  if (seconds < HOUR) return `about ${Math.ceil(seconds / MINUTE)} min left`
  return `about ${Math.ceil(seconds / HOUR)} h left`
}
