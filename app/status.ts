import { cache } from 'react'
import { toAsked } from '#lib/client/query-options.ts'
import { stateQuestions } from '#lib/contract/operations/state.ts'
import { askAsServer, askInProcess } from '#lib/server/pages/ask-in-process.ts'

const STATUS = toAsked(stateQuestions.status)

export const loadStatus = cache(async () => await askInProcess(STATUS))

export async function loadIsInvented(): Promise<boolean> {
  // Readers without permission for the status still learn that ratings are invented.
  const status = await loadStatus()
    .catch(() => askAsServer(STATUS))
    .catch(() => null)
  return status?.data.service.invented ?? false
}

/** For every reader: the status tells operators only. False if the status is unknown. */
export async function loadHasPrices(): Promise<boolean> {
  const status = await askAsServer(STATUS).catch(() => null)
  return (status?.data.prices?.prices ?? 0) > 0
}
