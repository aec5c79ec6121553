import { formatCount, formatCounted } from '#components/format/numbers.ts'
import { ButtonLink } from '#components/ui/button.tsx'
import type { RejectedLines } from '#lib/contract/answers/status.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

export function SetAside({ lines, label }: { lines: RejectedLines; label: string }) {
  if (lines.set_aside === 0) return null
  return (
    <details>
      <summary>{formatCounted(lines.set_aside, 'line')} set aside</summary>
      <ul aria-label="Reasons for lines set aside" className="text-sm text-ink-3">
        {lines.reasons.map(({ reason, rows }) => (
          <li key={reason} className="wrap-anywhere">
            {formatCounted(rows, 'line')}: {reason}
          </li>
        ))}
      </ul>
      <ul aria-label={label} className="my-2 text-sm text-ink-3">
        {lines.examples.map(({ file, line, column, value, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one line can be left out for two columns.
          <li key={index} className="wrap-anywhere">
            <bdi>{file}</bdi>, line {formatCount(line)}
            {column !== null && (
              <>
                , <bdi>{column}</bdi>
              </>
            )}
            , {reason}: <bdi>{toVisibleText(value)}</bdi>
          </li>
        ))}
      </ul>
      <ButtonLink size="small" href="/api/rejects.ndjson" download>
        Download the lines
      </ButtonLink>
    </details>
  )
}
