'use client'

import { formatRelative } from '#components/format/instants.ts'
import { InstantButton, ZonedDay } from '#components/time/instant.tsx'
import { Button } from '#components/ui/button.tsx'
import { Cell, HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import type { SessionEntry } from '#lib/contract/answers/access.ts'
import { toBrowserName } from './browser-name.ts'

type SessionsTableProps = {
  name: string
  sessions: readonly SessionEntry[]
  /** Whose each is, where they are of several. */
  withNames?: boolean
  /** Seconds since 1970. */
  now: number
  onEnd: (id: string) => void
}

/** Where somebody is signed in, and the way to end that. */
export function SessionsTable({ name, sessions, withNames, now, onEnd }: SessionsTableProps) {
  return (
    <TableFrame bare aria-label={name} className="-mx-5">
      <Table aria-label={name}>
        <TableHead>
          {withNames && <HeaderCell className="first:pl-5">Name</HeaderCell>}
          <HeaderCell className="first:pl-5">Browser</HeaderCell>
          <HeaderCell className="max-sm:hidden">Address</HeaderCell>
          <HeaderCell className="max-sm:hidden">Signed in</HeaderCell>
          <HeaderCell>Last seen</HeaderCell>
          <HeaderCell className="w-full last:pr-5">
            <span className="sr-only">End it</span>
          </HeaderCell>
        </TableHead>
        <tbody>
          {sessions.map((session) => {
            const browser = toBrowserName(session.agent)
            return (
              <Row key={session.id}>
                {withNames && <Cell className="first:pl-5">{session.name}</Cell>}
                <Cell className="first:pl-5">
                  <span title={session.agent}>{browser}</span>
                </Cell>
                <Cell className="font-mono text-sm max-sm:hidden">{session.from || 'unknown'}</Cell>
                <Cell className="max-sm:hidden">
                  <ZonedDay seconds={session.created_at} />
                </Cell>
                <Cell>
                  <InstantButton seconds={session.used_at}>
                    {formatRelative(session.used_at, now)}
                  </InstantButton>
                </Cell>
                <Cell className="last:pr-5 text-right">
                  {session.is_this ? (
                    <span className="text-ink-3">this browser</span>
                  ) : (
                    <Button size="small" onClick={() => onEnd(session.id)}>
                      End
                      <span className="sr-only">
                        {' '}
                        the session of {withNames ? session.name : browser}
                      </span>
                    </Button>
                  )}
                </Cell>
              </Row>
            )
          })}
        </tbody>
      </Table>
    </TableFrame>
  )
}
