import Link from 'next/link'
import { Notice } from '#components/ui/messages.tsx'
import type { Issue } from '#lib/contract/faults.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

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

const LONGEST = 24

/** What had to be ignored in an address, in words: `page “zz” is not a whole number from 1 to 9999999`. */
export const toIgnoredText = ({ parameter, message }: Issue, params: URLSearchParams): string =>
  `${parameter}${toValue(params.get(parameter))} ${message}`

/** The value as it stood there, shortened: it is the address's own text and may be anything. */
function toValue(value: string | null): string {
  if (value === null || value === '') return ''
  const letters = [...value]
  const shown = toVisibleText(letters.slice(0, LONGEST).join(''))
  return ` “${shown}${letters.length > LONGEST ? '…' : ''}”`
}
