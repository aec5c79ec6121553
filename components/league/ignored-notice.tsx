import { Notice } from '#components/ui/notice.tsx'
import type { Issue } from '#lib/contract/faults.ts'

/** Says what of the address could not be read; nothing where all of it could. */
export function IgnoredNotice({ ignored }: { ignored: readonly Issue[] }) {
  if (ignored.length === 0) return null
  return (
    <Notice tone="warning" title="Part of the address was ignored">
      <ul>
        {ignored.map((issue) => (
          <li key={`${issue.parameter} ${issue.message}`}>
            <code>{issue.parameter}</code> {issue.message}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
