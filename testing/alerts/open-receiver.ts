import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

type Mode =
  | 'well'
  | 'failing'
  | 'busy'
  | 'gone'
  | 'bad'
  | 'mattermost'
  | 'picky'
  | 'strict'
  | 'redirecting'
  | 'stalling'
  | 'deaf'
  | 'flooding'

type ReceivedWebhook = {
  id: string
  url: string
  method: string
  isSigned: boolean
  isFresh: boolean
  headers: Record<string, string>
  body: {
    type: string
    timestamp: string
    text: string
    data: Record<string, unknown> & { total?: number; rule?: string }
  }
}

export type Receiver = {
  url: string
  port: number
  secret: string
  become(mode: Mode): Promise<void>
  /** `flooded` is in MiB. */
  read(): Promise<{ got: ReceivedWebhook[]; requests: number; flooded?: number }>
  forget(): Promise<void>
  close(): void
}

export const SECRET = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB'

export async function openReceiver(secret = SECRET): Promise<Receiver> {
  const child = fork(fileURLToPath(new URL('./receiver.mjs', import.meta.url)), {
    execArgv: [],
    stdio: 'ignore',
  })
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve((message as { port: number }).port))
    child.once('exit', () => reject(new Error('the receiver ended')))
  })
  const url = `http://127.0.0.1:${port}/hook`
  const control = async (wanted?: object) => {
    const init = wanted ? { method: 'POST', body: JSON.stringify(wanted) } : {}
    const response = await fetch(url, { ...init, headers: { 'x-control': '1' } })
    return (await response.json()) as Awaited<ReturnType<Receiver['read']>>
  }
  await control({ secret })
  return {
    url,
    port,
    secret,
    become: async (mode) => void (await control({ mode })),
    read: async () => await control(),
    forget: async () => void (await control({ forget: true })),
    close: () => child.disconnect(),
  }
}
