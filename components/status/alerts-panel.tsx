'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { AlertDialog } from '#components/alerts/alert-dialog.tsx'
import { FORMAT_LABELS } from '#components/alerts/alert-rule-fields.ts'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { formatRelative } from '#components/format/instants.ts'
import { formatCount, formatCounted } from '#components/format/numbers.ts'
import { isOfRatings } from '#components/saved/view-pages.ts'
import { useStored } from '#components/store/store.ts'
import { Instant } from '#components/time/instant.tsx'
import { Button } from '#components/ui/button.tsx'
import { Link } from '#components/ui/link.tsx'
import { LiveRegion, Notice } from '#components/ui/messages.tsx'
import { Card } from '#components/ui/panels.tsx'
import { alertsOptions, removeAlertRule, sendAlertAgain, tryWebhook } from '#lib/client/alerts.ts'
import { useUrlQuery } from '#lib/client/url-query.ts'
import type {
  AlertMessage,
  AlertProblem,
  AlertRuleEntry,
  AlertsReport,
  AlertTarget,
} from '#lib/contract/answers/alerts.ts'
import { alertWish } from '#lib/contract/page-addresses.ts'
import { toDefaults } from '#lib/contract/query-schema.ts'

/** Seconds since 1970, server's clock. */
type Now = { now: number }

export function AlertsPanel({ now }: Now) {
  const alerts = useQuery(alertsOptions())
  const { query: initial, params, setQuery } = useUrlQuery(alertWish)
  const [isOpen, setIsOpen] = useState(false)
  const isWished = params.has('name')
  const isAdding = isOpen || isWished
  const add = useRef<HTMLButtonElement>(null)
  const close = () => {
    setIsOpen(false)
    if (isWished) setQuery(toDefaults(alertWish), 'replace')
    // A dialog that opened with the page has nothing to return the focus to.
    add.current?.focus()
  }
  const report = alerts.data?.data
  return (
    <Card
      id="alert-rules"
      title="Alerts"
      detail={report ? <Detail report={report} /> : 'sent to webhooks'}
      action={
        <Button ref={add} onClick={() => setIsOpen(true)} size="small">
          New alert
        </Button>
      }
    >
      {alerts.isError && (
        <FailureNotice
          what="The alerts"
          error={alerts.error}
          kept={report && 'The content below may be out of date.'}
          onRetry={() => void alerts.refetch()}
        />
      )}
      {isAdding && (
        <AlertDialog
          {...(isWished && { initial })}
          views={useStored
            .getState()
            .views.filter(({ address }) => isOfRatings(address))
            .map(({ name, address }) => ({ name, query: address }))}
          onClose={close}
        />
      )}
      {report && <KnownAlerts report={report} now={now} />}
    </Card>
  )
}

function Detail({ report }: { report: AlertsReport }) {
  const { rules, sent, outbox_total: waiting } = report
  if (rules.length === 0) return <>sent to webhooks</>
  const on = waiting === 0 ? '' : `, ${formatCounted(waiting, 'message')} pending`
  return (
    <>
      {formatCounted(rules.length, 'rule')}, {formatCounted(sent, 'message')} sent{on}
    </>
  )
}

function KnownAlerts({ report, now }: Now & { report: AlertsReport }) {
  const { rules, problems, webhooks, given_up: givenUp } = report
  return (
    <>
      {report.problem !== null && (
        <Notice tone="failure" title="Alerts are paused">
          {report.problem}
        </Notice>
      )}
      {!report.is_judging && (
        <p className="text-ink-3">The node that syncs evaluates and sends alerts.</p>
      )}
      {problems.length > 0 && <Problems problems={problems} />}
      {rules.length === 0 && problems.length === 0 && (
        <p className="text-ink-3">
          No rule yet. A rule notifies a webhook, such as Slack, Discord or Mattermost, about new
          ratings, a consensus that moves, or a sync with an alarm.{' '}
          <Link href="/docs/alerts" className="link">
            How alerts work
          </Link>
        </p>
      )}
      {rules.length > 0 && <Rules rules={rules} now={now} />}
      {webhooks.length > 0 && <Webhooks webhooks={webhooks} now={now} />}
      {report.outbox_total > 0 && <Outbox report={report} now={now} />}
      {givenUp.length > 0 && <GivenUp report={report} />}
    </>
  )
}

const Problems = ({ problems }: { problems: readonly AlertProblem[] }) => (
  <Notice tone="warning" title="Some rules are invalid; the others work">
    <ul aria-label="Problems of the rules" className="flex flex-col">
      {problems.map(({ place, rule, message }) => (
        <li key={`${place} ${message}`} className="wrap-anywhere">
          {rule !== null && (
            <>
              <bdi>“{rule}”</bdi>:{' '}
            </>
          )}
          <code className="font-mono text-sm">{place}</code> {message}.
        </li>
      ))}
    </ul>
  </Notice>
)

const ROW =
  'flex items-start justify-between gap-x-4 border-t py-2 first:border-t-0 first:pt-0 last:pb-0'

function Rules({ rules, now }: Now & { rules: readonly AlertRuleEntry[] }) {
  const remove = useAlertChange(removeAlertRule)
  return (
    <section aria-label="Alert rules" className="grid gap-2">
      <h3 className="field-label">Rules</h3>
      {remove.isError && <Failed error={remove.error} />}
      <ul className="flex flex-col">
        {rules.map((rule) => (
          <li key={rule.name} className={ROW}>
            <div className="min-w-0 flex-1">
              <p className="wrap-anywhere">
                <bdi className="font-semibold">{rule.name}</bdi>{' '}
                <span className="text-ink-2">{rule.what}</span>
              </p>
              <div className="text-sm text-ink-3">
                <RuleState rule={rule} now={now} />
              </div>
            </div>
            <Button
              aria-label={`Remove ${rule.name}`}
              disabled={remove.isPending}
              onClick={() => remove.mutate(rule.name)}
              size="small"
              variant="quiet"
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function RuleState({ rule, now }: Now & { rule: AlertRuleEntry }) {
  const { told_at: toldAt } = rule
  return (
    <>
      to <bdi>{rule.webhook}</bdi>;{' '}
      {toldAt === null ? (
        'no message yet'
      ) : (
        <>
          last message <Instant seconds={toldAt}>{formatRelative(toldAt, now)}</Instant>
        </>
      )}
    </>
  )
}

function Webhooks({ webhooks, now }: Now & { webhooks: readonly AlertTarget[] }) {
  const attempt = useMutation({ mutationFn: tryWebhook })
  const tried = attempt.data?.data
  return (
    <section aria-label="Webhooks" className="grid gap-2">
      <h3 className="field-label">Webhooks</h3>
      {attempt.isError && <Failed error={attempt.error} />}
      {tried && !tried.delivered && (
        <Notice tone="failure" title={`The test message to ${attempt.variables} failed`}>
          {tried.reason}
        </Notice>
      )}
      <ul className="flex flex-col">
        {webhooks.map(({ name, host, format, sent_at: sentAt, failure }) => (
          <li key={name} className={ROW}>
            <div className="min-w-0 flex-1">
              <p className="wrap-anywhere">
                <bdi className="font-semibold">{name}</bdi>{' '}
                <span className="text-ink-2">
                  at {host}, as {FORMAT_LABELS[format]}
                </span>
              </p>
              <p className="text-sm text-ink-3">
                {failure !== null ? (
                  <span className="text-rating-text-1">
                    {failure.reason}
                    {failure.retry_at !== null &&
                      failure.retry_at > now &&
                      ` Next attempt ${formatRelative(failure.retry_at, now)}.`}
                  </span>
                ) : sentAt === null ? (
                  'nothing delivered yet'
                ) : (
                  <>
                    last delivery <Instant seconds={sentAt}>{formatRelative(sentAt, now)}</Instant>
                  </>
                )}
              </p>
            </div>
            <Button disabled={attempt.isPending} onClick={() => attempt.mutate(name)} size="small">
              {attempt.isPending && attempt.variables === name ? 'Sending…' : 'Send a test'}
              <span className="sr-only"> to {name}</span>
            </Button>
          </li>
        ))}
      </ul>
      <p role="status" className="text-sm text-ink-2 empty:hidden">
        {tried?.delivered ? `Test message delivered to ${attempt.variables}.` : ''}
      </p>
      {tried && (
        <details className="text-sm text-ink-2">
          <summary>Messages sent to {attempt.variables}</summary>
          <pre className="wrap-anywhere whitespace-pre-wrap font-mono">{tried.body}</pre>
        </details>
      )}
    </section>
  )
}

function Outbox({ report, now }: Now & { report: AlertsReport }) {
  return (
    <section aria-label="Pending messages" className="grid gap-2">
      <h3 className="field-label">Pending</h3>
      <ul className="flex flex-col">
        {report.outbox.slice(0, SHOWN_MAX).map((message) => (
          <li key={message.id} className={ROW}>
            <MessageText message={message} />
            <span className="text-sm text-ink-3">
              {message.attempts === 0 ? 'waits' : `again ${formatRelative(message.at, now)}`}
            </span>
          </li>
        ))}
      </ul>
      <More shown={SHOWN_MAX} total={report.outbox_total} />
    </section>
  )
}

const SHOWN_MAX = 5

function GivenUp({ report }: { report: AlertsReport }) {
  const again = useAlertChange(sendAlertAgain)
  const { given_up: messages, given_up_total: total } = report
  return (
    <section aria-label="Failed messages" className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="field-label">Failed</h3>
        <Button disabled={again.isPending} onClick={() => again.mutate(undefined)} size="small">
          {total === 1 ? 'Send the message again' : `Send all ${total} messages again`}
        </Button>
      </div>
      {again.isError && <Failed error={again.error} />}
      <ul className="flex flex-col">
        {messages.slice(0, SHOWN_MAX).map((message) => (
          <li key={message.id} className={ROW}>
            <MessageText message={message} />
            <span className="text-sm text-ink-3">
              <Instant seconds={message.at} />
            </span>
          </li>
        ))}
      </ul>
      <More shown={SHOWN_MAX} total={total} />
      <LiveRegion message={again.isSuccess ? 'Failed messages will be sent again' : ''} />
    </section>
  )
}

function More({ shown, total }: { shown: number; total: number }) {
  if (total <= shown) return null
  return <p className="text-sm text-ink-3">and {formatCount(total - shown)} more</p>
}

const MessageText = ({ message: { text, webhook, reason } }: { message: AlertMessage }) => (
  <div className="min-w-0 flex-1 wrap-anywhere">
    <p>{text.split('\n')[0]}</p>
    <p className="text-sm text-ink-3">
      to <bdi>{webhook}</bdi>
      {reason !== null && `: ${reason}`}
    </p>
  </div>
)

const Failed = ({ error }: { error: Error }) => (
  <Notice tone="failure" title="The change failed">
    <p className="wrap-anywhere">{error.message}</p>
  </Notice>
)

function useAlertChange<T, R>(change: (wanted: T) => Promise<R>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => queryClient.invalidateQueries(alertsOptions()),
  })
}
