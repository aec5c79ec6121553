'use client'

import { useQuery } from '@tanstack/react-query'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { ZonedDay } from '#components/time/instant.tsx'
import { Button, ButtonLink } from '#components/ui/button.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { PageBody, PageHeader } from '#components/ui/page-layout.tsx'
import { Card } from '#components/ui/panels.tsx'
import { Cell, HeaderCell, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { useNow } from '#components/ui/use-browser.ts'
import {
  accountsOptions,
  changeAccount,
  endSessions,
  endToken,
  meOptions,
} from '#lib/client/access.ts'
import type { AccountEntry, Everybody, WantedAccount } from '#lib/contract/answers/access.ts'
import { FailedChange, useChange } from './failed-change.tsx'
import { SessionsTable } from './sessions-table.tsx'
import { TokensTable } from './tokens-table.tsx'

export function AccessScreen() {
  const everybody = useQuery(accountsOptions())
  return (
    <PageBody>
      <PageHeader
        actions={<ButtonLink href="/access/audit">Audit log</ButtonLink>}
        detail="Accounts, sessions and tokens"
        title="Access"
      />
      {everybody.isError && (
        <FailureNotice
          what="Accounts"
          error={everybody.error}
          onRetry={() => void everybody.refetch()}
        />
      )}
      {everybody.isPending && <Skeleton height={320} className="rounded-lg" />}
      {everybody.data && <AccessPanels {...everybody.data.data} />}
    </PageBody>
  )
}

function AccessPanels({ accounts, sessions, tokens }: Everybody) {
  const me = useQuery(meOptions()).data?.data
  const now = useNow(Math.floor(Date.now() / 1000))
  const change = useChange(({ name, wanted }: { name: string; wanted: WantedAccount }) =>
    changeAccount(name, wanted),
  )
  const end = useChange((id: string) => endSessions(id))
  const takeBack = useChange(endToken)
  return (
    <>
      <FailedChange of={[change, end, takeBack]} />
      {me?.mode === 'password' && (
        <Card
          id="accounts"
          title="Accounts"
          detail={
            <>
              To add an account, run on the server:{' '}
              <code className="font-mono text-sm">npm run access -- add NAME</code>
            </>
          }
        >
          <AccountsTable
            accounts={accounts}
            own={me.name}
            onChange={(name, wanted) => change.mutate({ name, wanted })}
          />
        </Card>
      )}
      <div className="grid gap-4 wide:grid-cols-2 wide:items-start">
        <Card id="sessions" title="Signed in now">
          {sessions.length === 0 ? (
            <p className="text-ink-3">Nobody.</p>
          ) : (
            <SessionsTable
              name="Signed in now"
              sessions={sessions}
              withNames
              now={now}
              onEnd={(id) => end.mutate(id)}
            />
          )}
        </Card>
        <Card id="tokens" title="Tokens">
          {tokens.length === 0 ? (
            <p className="text-ink-3">None.</p>
          ) : (
            <TokensTable
              name="Tokens"
              tokens={tokens}
              withNames
              now={now}
              onEnd={(id) => takeBack.mutate(id)}
            />
          )}
        </Card>
      </div>
    </>
  )
}

type AccountsTableProps = {
  accounts: readonly AccountEntry[]
  /** It cannot change itself. */
  own: string
  onChange: (name: string, wanted: WantedAccount) => void
}

const AccountsTable = ({ accounts, own, onChange }: AccountsTableProps) => (
  <TableFrame bleed aria-label="Accounts">
    <Table cards aria-label="Accounts">
      <TableHead>
        <HeaderCell>Name</HeaderCell>
        <HeaderCell>Role</HeaderCell>
        <HeaderCell>Made</HeaderCell>
        <HeaderCell className="w-full">
          <span className="sr-only">Change</span>
        </HeaderCell>
      </TableHead>
      <tbody>
        {accounts.map(({ name, role, created_at, locked_at }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <Cell label="">
              {role}
              {locked_at !== null && <span className="text-rating-text-2">, locked</span>}
            </Cell>
            <Cell label="made">
              <ZonedDay seconds={created_at} />
            </Cell>
            <Cell card="end">
              {name === own ? (
                <span className="flex justify-end text-ink-3">you</span>
              ) : (
                <span className="flex justify-end gap-1.5">
                  <Button
                    size="small"
                    onClick={() =>
                      onChange(name, { role: role === 'operator' ? 'reader' : 'operator' })
                    }
                  >
                    Make {role === 'operator' ? 'a reader' : 'an operator'}
                    <span className="sr-only"> of {name}</span>
                  </Button>
                  <Button
                    size="small"
                    onClick={() => onChange(name, { is_locked: locked_at === null })}
                  >
                    {locked_at === null ? 'Lock' : 'Unlock'}
                    <span className="sr-only"> {name}</span>
                  </Button>
                </span>
              )}
            </Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  </TableFrame>
)
