import { queryOptions } from '@tanstack/react-query'
import { alertOperations } from '#lib/contract/operations/commands.ts'
import { sendOperation } from './fetch-api.ts'

const REFETCH_MS = 10_000

export const alertsOptions = () =>
  queryOptions({
    queryKey: ['alerts'],
    queryFn: ({ signal }) => sendOperation(alertOperations.getAlerts, { signal }),
    staleTime: 0,
    refetchInterval: REFETCH_MS,
  })

export type WantedRule = {
  rule: Readonly<Record<string, unknown>>
  target?: { url: string; secret: string; format?: string }
}

export const addAlertRule = (body: WantedRule) =>
  sendOperation(alertOperations.addAlertRule, { body })

export const removeAlertRule = (name: string) =>
  sendOperation(alertOperations.removeAlertRule, { parts: { name } })

export const tryWebhook = (webhook: string) =>
  sendOperation(alertOperations.tryWebhook, { body: { webhook } })

export const sendAlertAgain = (id?: string) =>
  sendOperation(alertOperations.sendAlertsAgain, { body: id === undefined ? {} : { id } })
