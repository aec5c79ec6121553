'use client'

import { formatRelative } from '#components/format/relative.ts'
import { InstantButton } from '#components/time/instant.tsx'
import { Notice } from '#components/ui/notice.tsx'
import type { Alarm } from '#lib/contract/answers/status.ts'
import { ALARM_WORDS } from './alarm-words.ts'

/** What is wrong although the dashboard answers, the worst first. `now` is the server's clock in seconds. */
export function Alarms({ alarms, now }: { alarms: readonly Alarm[]; now: number }) {
  if (alarms.length === 0) return null
  const isFailure = ({ kind }: Alarm) => ALARM_WORDS[kind].tone === 'failure'
  const sorted = [...alarms].sort((a, b) => Number(isFailure(b)) - Number(isFailure(a)))
  return (
    <ul aria-label="Alarms" className="flex flex-col gap-2.5">
      {sorted.map(({ kind, since, message }) => (
        <li key={kind}>
          <Notice
            tone={ALARM_WORDS[kind].tone}
            title={ALARM_WORDS[kind].title}
            action={
              <span className="text-ink-3">
                since <InstantButton seconds={since}>{formatRelative(since, now)}</InstantButton>
              </span>
            }
          >
            {message}
          </Notice>
        </li>
      ))}
    </ul>
  )
}
