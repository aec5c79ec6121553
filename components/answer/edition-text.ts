import type { Formats } from '#components/format/formats.ts'
import type { EditionEntry } from '#lib/contract/answers/status.ts'

type Noted = Pick<EditionEntry, 'state' | 'reason' | 'unchanged' | 'changes'>

/** What is to be known of an edition beside its figures: why it is not served, or how it differs from the one before. */
export function toEditionNote(
  { state, reason, unchanged, changes }: Noted,
  { formatCount }: Formats,
): string {
  if (state === 'aside') return `Set aside: ${reason ?? 'a second one has to confirm it.'}`
  if (unchanged) return 'the same bytes'
  if (changes === null) return '–'
  const { added, changed, gone } = changes
  if (added + changed + gone === 0) return 'the same rows'
  return [
    `+${formatCount(added)} new`,
    `${formatCount(changed)} changed`,
    `−${formatCount(gone)} gone`,
  ].join(', ')
}
