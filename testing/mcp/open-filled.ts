import { openTestApi } from '#testing/api/open-api.ts'
import { openInProcess } from './in-process.ts'

/** An assistant of a filled API. */
export async function openFilled() {
  const api = await openTestApi()
  await api.fill()
  const assistant = await openInProcess()
  const close = async () => {
    await assistant.close()
    await api.close()
  }
  return { api, assistant, close }
}
