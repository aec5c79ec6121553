'use client'

import { formatRelative } from '#components/format/instants.ts'
import { InstantButton, ZonedDay } from '#components/time/instant.tsx'
import { Button } from '#components/ui/button.tsx'
import type { SessionEntry } from '#lib/contract/answers/access.ts'
import { type AccessColumn, AccessTable } from './access-table.tsx'
import { toBrowserName } from './browser-name.ts'

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
    draw: ({ agent }) => <span title={agent}>{toBrowserName(agent)}</span>,
  },
  {
    header: 'Address',
    isWideOnly: true,
    className: 'font-mono text-sm',
    draw: ({ from }) => from || 'unknown',
  },
  {
    header: 'Signed in',
    isWideOnly: true,
    draw: ({ created_at }) => <ZonedDay seconds={created_at} />,
  },
  {
    header: 'Last seen',
    draw: ({ used_at }) => (
      <InstantButton seconds={used_at}>{formatRelative(used_at, now)}</InstantButton>
    ),
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
