'use client'

import { formatRelative } from '#components/format/instants.ts'
import { Instant, ZonedDay } from '#components/time/instant.tsx'
import { Button } from '#components/ui/button.tsx'
import type { SessionEntry } from '#lib/contract/answers/access.ts'
import { type AccessColumn, AccessTable } from './access-table.tsx'

type SessionsTableProps = {
  name: string
  sessions: readonly SessionEntry[]
  withNames?: boolean
  /** Seconds since 1970. */
  now: number
  onEnd: (id: string) => void
}

const toColumns = (now: number): AccessColumn<SessionEntry>[] => [
  {
    header: 'Browser',
    card: 'name',
    draw: ({ agent }) => <span title={agent}>{toBrowserName(agent)}</span>,
  },
  {
    header: 'Address',
    className: 'font-mono text-sm',
    draw: ({ from }) => from || 'unknown',
  },
  {
    header: 'Signed in',
    draw: ({ created_at }) => <ZonedDay seconds={created_at} />,
  },
  {
    header: 'Last seen',
    label: 'last seen',
    draw: ({ used_at }) => <Instant seconds={used_at}>{formatRelative(used_at, now)}</Instant>,
  },
]

export const SessionsTable = ({ name, sessions, withNames, now, onEnd }: SessionsTableProps) => (
  <AccessTable
    name={name}
    rows={sessions}
    owners={withNames ? 'Name' : null}
    columns={toColumns(now)}
    act="End session"
    drawAct={(session) =>
      session.is_this ? (
        <span className="text-ink-3">this browser</span>
      ) : (
        <Button size="small" onClick={() => onEnd(session.id)}>
          End
          <span className="sr-only">
            {' '}
            the session of {withNames ? session.name : toBrowserName(session.agent)}
          </span>
        </Button>
      )
    }
  />
)

/** Order matters: Edge and Opera also claim to be Chrome, Chrome to be Safari. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly [RegExp, string][] = [
  [/\b(?:iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

export function toBrowserName(agent: string): string {
  const named = (list: readonly [RegExp, string][]) =>
    list.find(([pattern]) => pattern.test(agent))?.[1]
  const browser = named(BROWSERS)
  const system = named(SYSTEMS)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? 'Other program'
}
