import { ENGLISH_FORMATS, type Formats } from '#components/format/formats.ts'
import type { Progress } from '#lib/contract/answers/state.ts'

const STEPS: Record<Progress['step'], string> = {
  fetching: 'Fetching',
  verifying: 'Verifying',
  importing: 'Importing',
  deriving: 'Working out changes',
  reading: 'Reading',
}

/** What a step is, in a word. */
export const describeStep = ({ step }: Pick<Progress, 'step'>): string => STEPS[step]

/** How far a step is: `45,000 of 100,000 rows`, `4.1 MB of 11.8 MB`, `12 pages`; nothing where nothing has come yet. */
export function describeProgress(
  { done, total, unit }: Omit<Progress, 'step'>,
  { formatBytes, formatCount }: Formats = ENGLISH_FORMATS,
): string {
  if (done === 0 && total === null) return ''
  const format = unit === 'bytes' ? formatBytes : formatCount
  const text = total === null ? format(done) : `${format(done)} of ${format(total)}`
  return unit === 'bytes' ? text : `${text} ${unit}`
}
