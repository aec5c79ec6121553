import { createServer } from 'node:http'
import { runInContext } from '#lib/server/gate/request-context.ts'
import { answerExport } from '#lib/server/routes/node-handlers.ts'
import { listenOnLoopback } from '#testing/loopback.ts'
import { createTestContext } from '#testing/server/request-context.ts'

/** Serves the opened test API. With a token, requests without it get 401. */
export async function serveApi({ token = null }: { token?: string | null } = {}) {
  const server = createServer((incoming, outgoing) => {
    if (token !== null && incoming.headers.authorization !== `Bearer ${token}`) {
      outgoing.writeHead(401).end()
      return
    }
    const context = createTestContext({ url: incoming.url ?? '/' })
    void runInContext(context, () => answerExport(incoming, outgoing))
  })
  const { port, close } = await listenOnLoopback(server)
  return { origin: `http://127.0.0.1:${port}`, close }
}
