'use client'

import type { FormEvent } from 'react'
import { Button } from '#components/ui/button.tsx'
import { TextField } from '#components/ui/fields.tsx'
import { Notice } from '#components/ui/messages.tsx'
import { changePassword } from '#lib/client/access.ts'
import { PASSWORD_MIN } from '#lib/contract/answers/access.ts'
import { useChange } from './use-change.ts'

export function PasswordForm({ name }: { name: string }) {
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
