import { formatEdition } from '#components/format/instants.ts'
import { formatCount, formatCounted } from '#components/format/numbers.ts'
import { Notice } from '#components/ui/messages.tsx'
import type { LookupsImport } from '#lib/contract/answers/status.ts'

export function ImportedLookups({ imported }: { imported: LookupsImport }) {
  const { state, problem, edition, lookups, before, set_aside: setAside } = imported
  const isFewer = before !== null && lookups < before
  return (
    <>
      {problem !== null && (
        <Notice
          tone={state === 'unreadable' ? 'warning' : 'failure'}
          title="The look-ups of this edition are not shown"
        >
          The dump {problem}. It stays here as a download.
          {edition !== null && ` Look-ups shown are those of ${formatEdition(edition)}.`}
        </Notice>
      )}
      {state === 'importing' && <p className="text-ink-3">The look-ups are being read.</p>}
      {isFewer && (
        <Notice tone="warning" title="There are fewer look-ups than before">
          {formatCount(lookups)} by the edition of {formatEdition(edition ?? '')},{' '}
          {formatCount(before)} by the one before.
        </Notice>
      )}
      {setAside > 0 && (
        <details>
          <summary>{formatCounted(setAside, 'row')} set aside</summary>
          <ul aria-label="Reasons for rows set aside" className="text-sm">
            {imported.reasons.map(({ reason, rows }) => (
              <li key={reason}>
                {formatCount(rows)}: {reason}
              </li>
            ))}
          </ul>
          <ul aria-label="Rows set aside" className="text-sm text-ink-3">
            {imported.examples.map(({ line, reason, raw }) => (
              <li key={line} className="wrap-anywhere">
                Line {formatCount(line)} {reason}: <bdi>{raw}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
