import { cache } from 'react'
import { askInProcess } from '#lib/server/ask-in-process.ts'

/** The status that one request sees: its header, its metadata and its line for newcomers ask for it, and it is made once. */
export const loadStatus = cache(
  async () => await askInProcess({ kind: 'status', parts: {}, params: new URLSearchParams() }),
)

/** Whether the ratings are a demo's. An archive that is not open says so on the page itself. */
export async function loadIsInvented(): Promise<boolean> {
  const status = await loadStatus().catch(() => null)
  return status?.data.service.invented ?? false
}
