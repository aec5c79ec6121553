'use client'

import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { Button, ButtonLink } from '#components/ui/button.tsx'
import { CopyButton } from '#components/ui/copy.tsx'
import { Checkbox, Select, TextField } from '#components/ui/fields.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { Notice } from '#components/ui/messages.tsx'
import { PageBody, PageHeader } from '#components/ui/page-layout.tsx'
import { Card } from '#components/ui/panels.tsx'
import { useNow } from '#components/ui/use-browser.ts'
import { changePassword, endSessions, endToken, makeToken, meOptions } from '#lib/client/access.ts'
import { endData } from '#lib/client/signed-out.ts'
import { type Me, PASSWORD_MIN, type Permission, SCOPES } from '#lib/contract/answers/access.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { FailedChange, useChange } from './failed-change.tsx'
import { SessionsTable } from './sessions-table.tsx'
import { TokensTable } from './tokens-table.tsx'

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

/** A form post, so that the browser leaves the page. A provider may not lead back here. */
const SignOut = () => (
  <form method="post" action={withBase('/api/access/sign-out')} onSubmit={endDataFirst}>
    <Button type="submit">Sign out</Button>
  </form>
)

function endDataFirst(event: FormEvent<HTMLFormElement>): void {
  event.preventDefault()
  const form = event.currentTarget
  void endData().finally(() => form.submit())
}

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

function PasswordForm({ name }: { name: string }) {
  const change = useChange(changePassword)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    const wanted = { current: String(fields.get('current')), next: String(fields.get('next')) }
    change.mutate(wanted, { onSuccess: () => form.reset() })
  }
  return (
    <form onSubmit={submit} className="flex max-w-[420px] flex-col gap-3">
      {/* Password managers need the user name. */}
      <input type="text" name="username" value={name} autoComplete="username" readOnly hidden />
      <TextField
        label="Current password"
        name="current"
        type="password"
        autoComplete="current-password"
        required
        maxLength={256}
      />
      <TextField
        label="New password"
        name="next"
        type="password"
        autoComplete="new-password"
        required
        minLength={PASSWORD_MIN}
        maxLength={256}
        hint={`At least ${PASSWORD_MIN} characters. A few unrelated words work well.`}
      />
      {change.isError && (
        <Notice tone="failure" title="The password was not changed">
          {change.error.message}
        </Notice>
      )}
      {change.isSuccess && (
        <Notice title="Password changed">All other browsers are signed out.</Notice>
      )}
      <Button type="submit" className="self-start" disabled={change.isPending}>
        Change password
      </Button>
    </form>
  )
}

const MEANINGS: Readonly<Record<(typeof SCOPES)[number], string>> = {
  embed: 'embed charts in other pages',
  feed: 'read feeds in a feed reader',
  read: 'read ratings, symbols and users',
  export: 'download files and the weekly dumps',
  sync: 'start a sync',
  inspect: 'read metrics, rows set aside and the audit log',
}

const LASTING = [
  { value: '7', label: 'a week' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '366', label: 'a year' },
]

function TokenForm({ may }: { may: readonly Permission[] }) {
  const make = useChange(makeToken)
  const [scopes, setScopes] = useState<readonly Permission[]>(['read'])
  const toggle = (scope: Permission) =>
    setScopes(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    const wanted = {
      label: String(fields.get('label')),
      scopes: [...scopes],
      days: Number(fields.get('days')),
    }
    make.mutate(wanted, { onSuccess: () => form.reset() })
  }
  const made = make.data?.data.token
  return (
    <div className="flex flex-col gap-3 border-t pt-4">
      <h3 className="font-semibold">New token</h3>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <div className="flex flex-wrap items-end gap-3">
          <TextField
            label="Purpose"
            name="label"
            required
            maxLength={64}
            placeholder="nightly export"
            className="min-w-0 basis-64"
          />
          <Select label="Expires after" name="days" options={LASTING} defaultValue="90" />
        </div>
        <fieldset className="flex flex-col">
          <legend className="field-label">Permissions</legend>
          {SCOPES.filter((scope) => may.includes(scope)).map((scope) => (
            <Checkbox
              key={scope}
              label={MEANINGS[scope]}
              checked={scopes.includes(scope)}
              onChange={() => toggle(scope)}
            />
          ))}
        </fieldset>
        {make.isError && (
          <Notice tone="failure" title="Creating the token failed">
            {make.error.message}
          </Notice>
        )}
        <Button
          type="submit"
          className="self-start"
          disabled={make.isPending || scopes.length === 0}
        >
          Create token
        </Button>
      </form>
      {made !== undefined && (
        <Notice
          tone="warning"
          title="Copy the token now: it is not shown again"
          action={<CopyButton text={made} what="token" variant="outline" />}
        >
          <code className="block font-mono text-sm wrap-anywhere">{made}</code>
        </Notice>
      )}
    </div>
  )
}
