'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useDeferredValue, useEffect, useRef, useState } from 'react'
import { formatCounted } from '#components/format/numbers.ts'
import { AsOfLink } from '#components/time/as-of.tsx'
import { nowSeconds } from '#components/time/time-travel.ts'
import { Button } from '#components/ui/button.tsx'
import { CopyButton } from '#components/ui/copy.tsx'
import { Select, TextField } from '#components/ui/fields.tsx'
import { Fold } from '#components/ui/fold.tsx'
import { Notice } from '#components/ui/messages.tsx'
import { addAlertRule, alertsOptions } from '#lib/client/alerts.ts'
import { ApiError } from '#lib/client/api-error.ts'
import { ratingsOptions } from '#lib/client/query-options.ts'
import type { AlertsReport } from '#lib/contract/answers/alerts.ts'
import { toRatingsHref } from '#lib/contract/page-addresses.ts'
import { EVERY_RATING, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import {
  type AlertStart,
  FORMAT_LABELS,
  type RuleKind,
  type RuleSubject,
  toPreviewQuery,
  toRuleQuery,
  toWantedRule,
} from './alert-rule-fields.ts'

type Choice = { value: string; label: string; subject: RuleSubject }

const KINDS: readonly (readonly [RuleKind, string])[] = [
  ['symbol', 'new ratings of a symbol'],
  ['query', 'new ratings that match a query'],
  ['crossing', 'a consensus that crosses a value'],
  ['change', 'a consensus that changes by an amount'],
  ['sync', 'a sync with an alarm'],
]

function toChoices(initial: AlertStart | undefined, views: readonly AlertStart[]): Choice[] {
  const toChoice = (start: AlertStart, value: string, label: string): Choice => ({
    value,
    label,
    subject: { kind: 'query', start },
  })
  return [
    ...(initial
      ? [toChoice(initial, 'initial', `new ratings: ${initial.name ?? 'this list'}`)]
      : []),
    ...KINDS.slice(0, 1).map(toKindChoice),
    ...views.map((view, index) =>
      toChoice(view, `view ${index}`, `new ratings in the view “${view.name}”`),
    ),
    ...KINDS.slice(1).map(toKindChoice),
  ]
}

const toKindChoice = ([kind, label]: (typeof KINDS)[number]): Choice => ({
  value: kind,
  label,
  subject: { kind, start: null },
})

const NEW = ''

type AlertFormProps = {
  report: AlertsReport
  initial?: AlertStart
  views: readonly AlertStart[]
  onDone: () => void
}

export function AlertForm({ report, initial, views, onDone }: AlertFormProps) {
  const queryClient = useQueryClient()
  const [choices] = useState(() => toChoices(initial, views))
  const [chosen, setChosen] = useState(choices[0]?.value ?? '')
  const [text, setText] = useState('')
  const [webhook, setWebhook] = useState(report.webhooks[0]?.name ?? NEW)
  const [isMore, setMore] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('select')?.focus(), [])
  const subject = choices.find(({ value }) => value === chosen)?.subject ?? NO_SUBJECT
  const add = useMutation({
    mutationFn: addAlertRule,
    onSuccess: onDone,
    onError: (error) => setMore(isMore || isAbout(error, IN_MORE)),
    onSettled: () => queryClient.invalidateQueries(alertsOptions()),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const wanted = toWantedRule({
      subject,
      webhook,
      typed: (name) => String(fields.get(name) ?? '').trim(),
      takenNames: report.rules.map(({ name }) => name),
      takenWebhooks: report.webhooks.map(({ name }) => name),
    })
    add.mutate(wanted)
  }
  const problemOf = toProblems(add.error)
  return (
    <form
      ref={form}
      aria-label="New alert"
      onSubmit={submit}
      className="flex min-h-0 flex-col gap-3 overflow-y-auto p-4 [scrollbar-width:thin]"
    >
      <Select
        label="Notify about"
        value={chosen}
        onChange={({ target }) => {
          setChosen(target.value)
          setText('')
        }}
        options={choices}
        className="max-sm:flex-col max-sm:items-start [&>select]:min-w-0 [&>select]:max-w-full"
      />
      <SubjectFields subject={subject} problemOf={problemOf} text={text} setText={setText} />
      <Preview subject={subject} text={text} />
      <WebhookSelect known={report.webhooks} value={webhook} onChoose={setWebhook} />
      {webhook === NEW && <WebhookFields problemOf={problemOf} />}
      <Fold title="More" isOpen={isMore}>
        <MoreFields kind={subject.kind} isNew={webhook === NEW} problemOf={problemOf} />
      </Fold>
      {add.isError && (
        <Notice tone="failure" title="The alert was not added">
          <p className="wrap-anywhere">{toSummary(add.error)}</p>
        </Notice>
      )}
      <Button type="submit" variant="solid" className="self-start" disabled={add.isPending}>
        {add.isPending ? 'Adding…' : 'Add alert'}
      </Button>
    </form>
  )
}

type WebhookSelectProps = {
  known: AlertsReport['webhooks']
  value: string
  onChoose: (name: string) => void
}

function WebhookSelect({ known, value, onChoose }: WebhookSelectProps) {
  if (known.length === 0) return null
  const options = known.map(({ name, host }) => ({ value: name, label: `${name} at ${host}` }))
  return (
    <Select
      label="Webhook"
      value={value}
      onChange={({ target }) => onChoose(target.value)}
      options={[...options, { value: NEW, label: 'a new one' }]}
    />
  )
}

const NO_SUBJECT: RuleSubject = { kind: 'query', start: null }

const IN_MORE = /^(?:name|days|minimum|webhook)(?:[.[]|$)/
const IN_FORM = /^(?:query|symbols|value|by|url|secret)(?:[.[]|$)/

const isAbout = (error: Error, fields: RegExp): boolean =>
  error instanceof ApiError && error.issues.some(({ parameter }) => fields.test(parameter))

function toSummary(error: Error): string {
  const isMarked =
    error instanceof ApiError &&
    error.issues.length > 0 &&
    error.issues.every(({ parameter }) => IN_FORM.test(parameter) || IN_MORE.test(parameter))
  return isMarked ? 'Correct the marked fields.' : error.message
}

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

type SubjectFieldsProps = FieldsProps & {
  subject: RuleSubject
  text: string
  setText: (text: string) => void
}

function SubjectFields({ subject, problemOf, text, setText }: SubjectFieldsProps) {
  const { kind, start } = subject
  if (kind === 'sync' || start) return null
  const typed = {
    name: 'subject',
    value: text,
    onChange: ({ target }: { target: { value: string } }) => setText(target.value),
  }
  if (kind === 'query') {
    return (
      <TextField
        {...typed}
        label="Query"
        placeholder="symbol=AAPL&rating=5"
        hint="The part after “?” in the address of the ratings page. Empty matches every rating."
        problem={problemOf('query')}
      />
    )
  }
  if (kind === 'symbol') {
    return (
      <TextField
        {...typed}
        label="Symbol"
        required
        placeholder="AAPL"
        problem={problemOf('query')}
      />
    )
  }
  return (
    <div className="grid items-start gap-3 sm:grid-cols-2">
      <TextField
        {...typed}
        label="Symbols"
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
        <TextField
          label="Change of at least"
          name="by"
          required
          inputMode="decimal"
          placeholder="0.5"
          problem={problemOf('by')}
        />
      )}
    </div>
  )
}

const WEEK_SECONDS = 7 * 86_400
const HOUR_SECONDS = 3600

/** Rounded, so that the same query has one address. */
const toWeekAgo = (now: number) => Math.floor(now / HOUR_SECONDS) * HOUR_SECONDS - WEEK_SECONDS

function Preview({ subject, text }: { subject: RuleSubject; text: string }) {
  const [from] = useState(() => toWeekAgo(nowSeconds()))
  const { kind, start } = subject
  const isAsked = kind === 'query' || (kind === 'symbol' && text.trim() !== '')
  const rule = useDeferredValue(isAsked ? toRuleQuery(subject, text.trim()) : null)
  const query = rule === null ? null : toPreviewQuery(rule, from)
  return (
    <div className="flex flex-col gap-0.5 text-sm text-ink-3">
      {start && rule !== '' && <code className="font-mono wrap-anywhere">{rule}</code>}
      <p role="status" className="min-h-5">
        {query && <WeekCount query={query} />}
      </p>
    </div>
  )
}

function WeekCount({ query }: { query: RatingsQuery }) {
  const { data } = useQuery(ratingsOptions(query))
  if (!data) return null
  const shown = { ...query, per_page: EVERY_RATING.per_page }
  return (
    <>
      In the last 7 days it would have reported{' '}
      <AsOfLink className="link" href={toRatingsHref(shown)}>
        {formatCounted(data.page.total, 'rating')}
      </AsOfLink>
      .
    </>
  )
}

type MoreFieldsProps = FieldsProps & { kind: RuleKind; isNew: boolean }

const MoreFields = ({ kind, isNew, problemOf }: MoreFieldsProps) => (
  <div className="grid items-start gap-3 pt-2 sm:grid-cols-2">
    <TextField
      label="Name"
      name="name"
      maxLength={80}
      hint="Shown at the top of each message."
      problem={problemOf('name')}
    />
    {kind === 'change' && (
      <TextField
        label="Within days"
        name="days"
        inputMode="numeric"
        placeholder="30"
        problem={problemOf('days')}
      />
    )}
    {(kind === 'crossing' || kind === 'change') && (
      <TextField
        label="Minimum active ratings"
        name="minimum"
        inputMode="numeric"
        placeholder="3"
        hint="No message below this number."
        problem={problemOf('minimum')}
      />
    )}
    {isNew && (
      <>
        <TextField
          label="Name of the webhook"
          name="webhook"
          maxLength={80}
          placeholder="chat"
          problem={problemOf('webhook')}
        />
        <Select label="Format" name="format" options={FORMATS} className="sm:mt-6" />
      </>
    )}
  </div>
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
    <>
      <TextField
        label="Address of the webhook"
        name="url"
        type="url"
        required
        placeholder="https://hooks.example.com/…"
        hint="Messages are posted to this address. Only its host is shown later."
        problem={problemOf('url')}
      />
      <div className="flex min-w-0 flex-wrap items-start gap-2">
        <TextField
          label="Secret"
          name="secret"
          required
          value={secret}
          onChange={({ target }) => setSecret(target.value)}
          placeholder="whsec_…"
          hint="Messages are signed with this secret; the receiver needs it too. It is not shown again."
          problem={problemOf('secret')}
          className="min-w-0 grow basis-60"
        />
        <span className="flex gap-2 sm:pt-6">
          <Button onClick={() => setSecret(makeSecret())}>Generate</Button>
          {secret !== '' && (
            <CopyButton text={secret} what="secret" variant="outline" size="regular" />
          )}
        </span>
      </div>
    </>
  )
}
