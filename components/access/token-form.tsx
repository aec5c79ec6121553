'use client'

import { type FormEvent, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { CopyButton } from '#components/ui/copy.tsx'
import { Checkbox, Select, TextField } from '#components/ui/fields.tsx'
import { Notice } from '#components/ui/messages.tsx'
import { makeToken } from '#lib/client/access.ts'
import { type Permission, SCOPES } from '#lib/contract/answers/access.ts'
import { useChange } from './use-change.ts'

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

export function TokenForm({ may }: { may: readonly Permission[] }) {
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
