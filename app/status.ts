import { cache } from 'react'
import { toAsked } from '#lib/client/query-options.ts'
import { stateQuestions } from '#lib/contract/operations/state.ts'
import { fetchAsServer, fetchInProcess } from '#lib/server/pages/fetch-in-process.ts'

const STATUS = toAsked(stateQuestions.status)

export const loadStatus = cache(async () => await fetchInProcess(STATUS))

export async function loadIsInvented(): Promise<boolean> {
  // Readers without permission for the status still learn that ratings are invented.
  const status = await loadStatus()
    .catch(() => fetchAsServer(STATUS))
    .catch(() => null)
  return status?.data.service.invented ?? false
}

/** For every reader: the status tells operators only. False if the status is unknown. */
export async function loadHasPrices(): Promise<boolean> {
  const status = await fetchAsServer(STATUS).catch(() => null)
  return (status?.data.prices?.prices ?? 0) > 0
}
