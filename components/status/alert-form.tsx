'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { CopyButton } from '#components/ui/copy.tsx'
import { Select, TextField } from '#components/ui/fields.tsx'
import { Notice } from '#components/ui/messages.tsx'
import { addAlertRule, alertsOptions } from '#lib/client/alerts.ts'
import { ApiError } from '#lib/client/api-error.ts'
import type { AlertsReport } from '#lib/contract/answers/alerts.ts'
import { FORMAT_LABELS, type RuleKind, toWantedRule } from './alert-rule-fields.ts'

const KINDS: readonly { value: RuleKind; label: string }[] = [
  { value: 'ratings', label: 'new ratings' },
  { value: 'crossing', label: 'a consensus that crosses a value' },
  { value: 'change', label: 'a consensus that changes by an amount' },
  { value: 'sync', label: 'a sync with an alarm' },
]

const toKind = (value: string): RuleKind =>
  KINDS.find((kind) => kind.value === value)?.value ?? 'ratings'

const NEW = ''

type AlertFormProps = { report: AlertsReport; onDone: () => void }

export function AlertForm({ report, onDone }: AlertFormProps) {
  const id = useId()
  const queryClient = useQueryClient()
  const [kind, setKind] = useState<RuleKind>('ratings')
  const [webhook, setWebhook] = useState(report.webhooks[0]?.name ?? NEW)
  const add = useMutation({
    mutationFn: addAlertRule,
    onSuccess: onDone,
    onSettled: () => queryClient.invalidateQueries(alertsOptions()),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    add.mutate(toWantedRule(kind, webhook, (name) => String(fields.get(name) ?? '').trim()))
  }
  const problemOf = toProblems(add.error)
  return (
    <form
      aria-labelledby={id}
      onSubmit={submit}
      className="flex flex-col gap-4 rounded-md border bg-paper p-4"
    >
      <h3 id={id} className="font-semibold">
        New rule
      </h3>
      <Select
        label="Notify about"
        value={kind}
        onChange={({ target }) => setKind(toKind(target.value))}
        options={KINDS}
      />
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <TextField
          label="Name"
          name="name"
          required
          maxLength={80}
          hint="Shown at the top of each message."
          problem={problemOf('name')}
        />
        <KindFields kind={kind} problemOf={problemOf} />
        <TextField
          label="Messages an hour, at most"
          name="at_most_an_hour"
          inputMode="numeric"
          placeholder="10"
          hint="Further messages are combined into one."
          problem={problemOf('at_most_an_hour')}
        />
      </div>
      <QuietFields problemOf={problemOf} />
      <Select
        label="Webhook"
        value={webhook}
        onChange={({ target }) => setWebhook(target.value)}
        options={[
          ...report.webhooks.map(({ name, host }) => ({
            value: name,
            label: `${name} at ${host}`,
          })),
          { value: NEW, label: 'A new one' },
        ]}
      />
      {webhook === NEW && <WebhookFields problemOf={problemOf} />}
      {add.isError && (
        <Notice tone="failure" title="The rule was not added">
          <p className="wrap-anywhere">{toSummary(add.error)}</p>
        </Notice>
      )}
      <Button type="submit" variant="solid" className="self-start" disabled={add.isPending}>
        {add.isPending ? 'Adding…' : 'Add the rule'}
      </Button>
    </form>
  )
}

function toSummary(error: Error): string {
  const isMarked =
    error instanceof ApiError &&
    error.issues.length > 0 &&
    error.issues.every(({ parameter }) => MARKED.test(parameter))
  return isMarked ? 'Correct the marked fields.' : error.message
}

const MARKED =
  /^(?:name|query|symbols|value|by|days|minimum|at_most_an_hour|webhook|url|secret|quiet_hours\.(?:from|to|zone))(?:[.[]|$)/

type ProblemOf = (field: string) => string | null

function toProblems(error: Error | null): ProblemOf {
  const issues = error instanceof ApiError ? error.issues : []
  return (field) => {
    const found = issues.find(({ parameter }) =>
      [parameter, parameter.split('[')[0]].includes(field),
    )
    if (!found) return null
    return `${found.message.charAt(0).toUpperCase()}${found.message.slice(1)}.`
  }
}

type FieldsProps = { problemOf: ProblemOf }

function KindFields({ kind, problemOf }: FieldsProps & { kind: RuleKind }) {
  if (kind === 'sync') return null
  if (kind === 'ratings') {
    return (
      <TextField
        label="Query"
        name="query"
        placeholder="symbol=AAPL&rating=5"
        hint="The part after “?” in the address of the ratings page. Empty matches every rating."
        problem={problemOf('query')}
      />
    )
  }
  return (
    <>
      <TextField
        label="Symbols"
        name="symbols"
        required
        placeholder="AAPL, MSFT"
        problem={problemOf('symbols')}
      />
      {kind === 'crossing' ? (
        <TextField
          label="Value"
          name="value"
          required
          inputMode="decimal"
          placeholder="3.5"
          hint="From 1, Strong Sell, to 5, Strong Buy."
          problem={problemOf('value')}
        />
      ) : (
        <>
          <TextField
            label="Change of at least"
            name="by"
            required
            inputMode="decimal"
            placeholder="0.5"
            problem={problemOf('by')}
          />
          <TextField
            label="Within days"
            name="days"
            required
            inputMode="numeric"
            placeholder="30"
            problem={problemOf('days')}
          />
        </>
      )}
      <TextField
        label="Minimum active ratings"
        name="minimum"
        inputMode="numeric"
        placeholder="3"
        hint="No message below this number."
        problem={problemOf('minimum')}
      />
    </>
  )
}

const QuietFields = ({ problemOf }: FieldsProps) => (
  <fieldset className="grid items-start gap-3 sm:grid-cols-3">
    <legend className="field-label pb-1">Quiet hours (optional)</legend>
    <TextField
      label="From"
      name="quiet_from"
      placeholder="22:00"
      problem={problemOf('quiet_hours.from')}
    />
    <TextField
      label="To"
      name="quiet_to"
      placeholder="07:00"
      problem={problemOf('quiet_hours.to')}
    />
    <TextField
      label="Time zone"
      name="quiet_zone"
      placeholder="Europe/Berlin"
      problem={problemOf('quiet_hours.zone')}
    />
  </fieldset>
)

const SECRET_BYTES = 32

/** Generated here: the server never reveals it. */
function makeSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
  return `whsec_${btoa(String.fromCharCode(...bytes))}`
}

const FORMATS = [
  { value: '', label: 'recognized by the address' },
  ...Object.entries(FORMAT_LABELS).map(([value, label]) => ({ value, label })),
]

function WebhookFields({ problemOf }: FieldsProps) {
  const [secret, setSecret] = useState('')
  return (
    <div className="grid items-start gap-3 sm:grid-cols-2">
      <TextField
        label="Name of the webhook"
        name="webhook"
        required
        maxLength={80}
        placeholder="chat"
        problem={problemOf('webhook')}
      />
      <TextField
        label="Address"
        name="url"
        type="url"
        required
        placeholder="https://hooks.example.com/…"
        hint="Messages are posted to this address. Only its host is shown later."
        problem={problemOf('url')}
      />
      <Select label="Format" name="format" options={FORMATS} />
      <div className="flex min-w-0 flex-wrap items-start gap-2 sm:col-span-2">
        <TextField
          label="Secret"
          name="secret"
          required
          value={secret}
          onChange={({ target }) => setSecret(target.value)}
          placeholder="whsec_…"
          hint="Messages are signed with this secret; the receiver needs it too. It is not shown again."
          problem={problemOf('secret')}
          className="min-w-0 grow basis-72"
        />
        <span className="flex gap-2 sm:pt-6">
          <Button onClick={() => setSecret(makeSecret())}>Generate</Button>
          {secret !== '' && (
            <CopyButton text={secret} what="secret" variant="outline" size="regular" />
          )}
        </span>
      </div>
    </div>
  )
}
