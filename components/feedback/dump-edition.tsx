import { formatCount } from '#components/format/numbers.ts'
import type { EditionEntry } from '#lib/contract/answers/status.ts'
import { withBase } from '#lib/contract/base-path.ts'

export const EditionLink = ({ fileName }: { fileName: string }) => (
  <a className="link" href={withBase(`/api/editions/${fileName}`)} download>
    {fileName}
  </a>
)

type Noted = Pick<EditionEntry, 'state' | 'reason' | 'unchanged' | 'changes'>

export function toEditionNote({ state, reason, unchanged, changes }: Noted): string {
  if (state === 'aside') return `Set aside: ${reason ?? 'a second dump must confirm it.'}`
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

export const ShortHash = ({ sha256 }: { sha256: string }) => (
  <code title={sha256} className="font-mono text-sm">
    {sha256.slice(0, 8)}…{sha256.slice(-4)}
  </code>
)
