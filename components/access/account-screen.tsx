'use client'

import { useQuery } from '@tanstack/react-query'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { Button, ButtonLink } from '#components/ui/button.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { Notice } from '#components/ui/messages.tsx'
import { PageBody, PageHeader } from '#components/ui/page-layout.tsx'
import { Card } from '#components/ui/panels.tsx'
import { useNow } from '#components/ui/use-browser.ts'
import { endSessions, endToken, meOptions } from '#lib/client/access.ts'
import type { Me } from '#lib/contract/answers/access.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { FailedChange } from './failed-change.tsx'
import { PasswordForm } from './password-form.tsx'
import { SessionsTable } from './sessions-table.tsx'
import { TokenForm } from './token-form.tsx'
import { TokensTable } from './tokens-table.tsx'
import { useChange } from './use-change.ts'

export function AccountScreen() {
  const me = useQuery(meOptions())
  return (
    <PageBody className="max-w-[960px]">
      <PageHeader
        title="Your account"
        detail={me.data && describeRole(me.data.data)}
        actions={me.data && me.data.data.mode !== 'proxy' && <SignOut />}
      />
      {me.isError && (
        <FailureNotice what="Your account" error={me.error} onRetry={() => void me.refetch()} />
      )}
      {me.isPending && <Skeleton height={240} className="rounded-lg" />}
      {me.data && <AccountPanels me={me.data.data} />}
    </PageBody>
  )
}

const describeRole = ({ name, may }: Me) =>
  `${name}, ${may.includes('manage') ? 'operator' : 'reader'}`

/** A form post, so that the browser leaves the page. */
const SignOut = () => (
  <form method="post" action={withBase('/api/access/sign-out')}>
    <Button type="submit">Sign out</Button>
  </form>
)

function AccountPanels({ me }: { me: Me }) {
  const now = useNow(Math.floor(Date.now() / 1000))
  const endOne = useChange((id: string) => endSessions(id))
  const endOthers = useChange(() => endSessions())
  const takeBack = useChange(endToken)
  return (
    <>
      <FailedChange of={[endOne, endOthers, takeBack]} />
      {me.may.includes('manage') && (
        <Notice
          title="You run this dashboard"
          action={<ButtonLink href="/access">All accounts</ButtonLink>}
        >
          Accounts, sessions and tokens of all users, and the audit log.
        </Notice>
      )}
      {me.mode !== 'proxy' && (
        <Card
          id="sessions"
          title="Where you are signed in"
          action={
            me.sessions.length > 1 && (
              <Button size="small" onClick={() => endOthers.mutate(undefined)}>
                End all other sessions
              </Button>
            )
          }
        >
          <SessionsTable
            name="Where you are signed in"
            sessions={me.sessions}
            now={now}
            onEnd={(id) => endOne.mutate(id)}
          />
        </Card>
      )}
      <Card
        id="tokens"
        title="Tokens for scripts"
        detail="A script sends a token instead of signing in. A token can do only what you allow, and never more than you can."
      >
        {me.tokens.length > 0 && (
          <TokensTable
            name="Tokens for scripts"
            tokens={me.tokens}
            now={now}
            onEnd={(id) => takeBack.mutate(id)}
          />
        )}
        <TokenForm may={me.may} />
      </Card>
      {me.mode === 'password' && (
        <Card id="password" title="Password">
          <PasswordForm name={me.name} />
        </Card>
      )}
    </>
  )
}
