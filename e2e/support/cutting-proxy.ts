import { createServer, request } from 'node:http'
import { listenOnLoopback } from '#testing/loopback.ts'

type Cut = { afterBytes: number; how: 'break' | 'hold' } | null

export type CuttingProxy = { url: string; cut(cut: Cut): void; stop(): Promise<void> }

export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  let cut: Cut = null
  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', target)
    const { method, headers } = incoming
    const asked = request(url, { method, headers: { ...headers, host: url.host } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      if (!cut || !/^\/api\/ratings\./.test(url.pathname)) {
        answer.pipe(outgoing)
        return
      }
      const { afterBytes, how } = cut
      let sent = 0
      answer.on('data', (chunk: Buffer) => {
        const part = chunk.subarray(0, Math.max(0, afterBytes - sent))
        sent += part.byteLength
        outgoing.write(part)
        if (sent < afterBytes) return
        answer.destroy()
        // Let written bytes leave first.
        if (how === 'break') setTimeout(() => outgoing.destroy(), 100)
      })
    })
    asked.on('error', () => outgoing.destroy())
    incoming.pipe(asked)
  })
  const loopback = await listenOnLoopback(server)
  return {
    url: `http://127.0.0.1:${loopback.port}`,
    cut: (next) => {
      cut = next
    },
    stop: loopback.close,
  }
}
