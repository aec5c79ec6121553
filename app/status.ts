import { cache } from 'react'
import { toAsked } from '#lib/client/query-options.ts'
import { stateQuestions } from '#lib/contract/operations/state.ts'
import { answerQuestion, askInProcess } from '#lib/server/pages/ask-in-process.ts'

const STATUS = toAsked(stateQuestions.status)

/** The status that one request sees: its header, its metadata and its line for newcomers ask for it, and it is made once. */
export const loadStatus = cache(async () => await askInProcess(STATUS))

/** Whether the ratings are a demo's. An archive that is not open says so on the page itself. */
export async function loadIsInvented(): Promise<boolean> {
  // Whoever may see a rating at all is told that it is invented, though he may not ask for the status.
  const status = await loadStatus()
    .catch(() => answerQuestion(STATUS))
    .catch(() => null)
  return status?.data.service.invented ?? false
}
