import { Link } from '#components/ui/link.tsx'
import { Notice } from '#components/ui/messages.tsx'
import type { Issue } from '#lib/contract/faults.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

type IgnoredNoticeProps = {
  ignored: readonly Issue[]
  params: URLSearchParams
  href: string
}

export function IgnoredNotice({ ignored, params, href }: IgnoredNoticeProps) {
  if (ignored.length === 0) return null
  return (
    <Notice
      tone="warning"
      title="Part of the address was ignored"
      action={
        <Link href={href} replace scroll={false} className="link">
          Remove<span className="sr-only"> the ignored part</span>
        </Link>
      }
    >
      <ul className="wrap-anywhere">
        {ignored.map((issue) => (
          <li key={`${issue.parameter} ${issue.message}`}>{toIgnoredText(issue, params)}</li>
        ))}
      </ul>
    </Notice>
  )
}

const LONGEST = 24

export const toIgnoredText = ({ parameter, message }: Issue, params: URLSearchParams): string =>
  `${parameter}${toValue(params.get(parameter))} ${message}`

function toValue(value: string | null): string {
  if (value === null || value === '') return ''
  const letters = [...value]
  const shown = toVisibleText(letters.slice(0, LONGEST).join(''))
  return ` “${shown}${letters.length > LONGEST ? '…' : ''}”`
}
