import Link from 'next/link'
import { Notice } from '#components/ui/notice.tsx'
import type { Issue } from '#lib/contract/faults.ts'
import { toIgnoredText } from './ignored-text.ts'

type IgnoredNoticeProps = {
  ignored: readonly Issue[]
  /** The address as it stands. */
  params: URLSearchParams
  /** The same view without what was ignored. */
  href: string
}

/** Says what of the address could not be read; nothing where all of it could. */
export function IgnoredNotice({ ignored, params, href }: IgnoredNoticeProps) {
  if (ignored.length === 0) return null
  return (
    <Notice
      tone="warning"
      title="Part of the address was ignored"
      action={
        <Link href={href} replace scroll={false} prefetch={false} className="link">
          Leave it out
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
