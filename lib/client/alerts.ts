import { queryOptions } from '@tanstack/react-query'
import type { AlertsAnswer, TriedAnswer } from '#lib/contract/answers/alerts.ts'
import { fetchInBrowser, loadAnswer, sendInBrowser } from './fetch-api.ts'

const ADDRESS = '/api/alerts'
/** What waits to be sent changes by itself. */
const REFETCH_MS = 10_000

/** The alerts, for operators. */
export const alertsOptions = () =>
  queryOptions({
    queryKey: ['alerts'],
    queryFn: ({ signal }): Promise<AlertsAnswer> =>
      loadAnswer('alerts', ADDRESS, { fetchApi: fetchInBrowser, signal }),
    staleTime: 0,
    refetchInterval: REFETCH_MS,
  })

/** What an operator sends who adds a rule: `target` where its webhook is new. Whether it is right the server says. */
export type WantedRule = {
  rule: Readonly<Record<string, unknown>>
  target?: { url: string; secret: string; format?: string }
}

/** Each throws ApiError that says what was wrong. */
export const addAlertRule = (wanted: WantedRule): Promise<AlertsAnswer> =>
  loadAnswer('alerts', `${ADDRESS}/rules`, { fetchApi: sendInBrowser('POST', wanted) })

export const removeAlertRule = (name: string): Promise<AlertsAnswer> =>
  loadAnswer('alerts', `${ADDRESS}/rules/${encodeURIComponent(name)}`, {
    fetchApi: sendInBrowser('DELETE'),
  })

export const tryWebhook = (webhook: string): Promise<TriedAnswer> =>
  loadAnswer('tried', `${ADDRESS}/try`, { fetchApi: sendInBrowser('POST', { webhook }) })

/** One message that was given up, by its id; all of them without one. */
export const sendAlertAgain = (id?: string): Promise<AlertsAnswer> =>
  loadAnswer('alerts', `${ADDRESS}/given-up`, {
    fetchApi: sendInBrowser('POST', id === undefined ? {} : { id }),
  })
