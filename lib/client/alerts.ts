import { queryOptions } from '@tanstack/react-query'
import { alertOperations } from '#lib/contract/operations/commands.ts'
import { sendOperation } from './fetch-api.ts'

/** The outbox changes by itself. */
const REFETCH_MS = 10_000

/** The alerts, for operators. */
export const alertsOptions = () =>
  queryOptions({
    queryKey: ['alerts'],
    queryFn: ({ signal }) => sendOperation(alertOperations.getAlerts, { signal }),
    staleTime: 0,
    refetchInterval: REFETCH_MS,
  })

/** A rule to add, with `target` where its webhook is new. The server checks it. */
export type WantedRule = {
  rule: Readonly<Record<string, unknown>>
  target?: { url: string; secret: string; format?: string }
}

/** Each throws ApiError with the reason. */
export const addAlertRule = (body: WantedRule) =>
  sendOperation(alertOperations.addAlertRule, { body })

export const removeAlertRule = (name: string) =>
  sendOperation(alertOperations.removeAlertRule, { parts: { name } })

export const tryWebhook = (webhook: string) =>
  sendOperation(alertOperations.tryWebhook, { body: { webhook } })

/** One message that was given up, by its id; all of them without one. */
export const sendAlertAgain = (id?: string) =>
  sendOperation(alertOperations.sendAlertsAgain, { body: id === undefined ? {} : { id } })
