import { createServer } from 'node:http'
import { MAY } from '#lib/api/endpoint.ts'
import { PERMISSIONS } from '#lib/contract/answers/access.ts'
import { answerExport } from '#lib/server/routes/node-handlers.ts'
import { listenOnLoopback } from '#testing/loopback.ts'

/** Serves the opened test API. With a token, requests without it get 401. */
export async function serveApi({ token = null }: { token?: string | null } = {}) {
  const server = createServer((incoming, outgoing) => {
    if (token !== null && incoming.headers.authorization !== `Bearer ${token}`) {
      outgoing.writeHead(401).end()
      return
    }
    incoming.headers[MAY] = PERMISSIONS.join(' ')
    void answerExport(incoming, outgoing)
  })
  const { port, close } = await listenOnLoopback(server)
  return { origin: `http://127.0.0.1:${port}`, close }
}
