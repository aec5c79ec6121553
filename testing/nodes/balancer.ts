import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Loopback, listenOnLoopback } from '#testing/loopback.ts'

export type Balancer = Loopback & {
  url: string
  /** Port → answers. */
  served: ReadonlyMap<number, number>
  failed(): number
}

const UNANSWERED = 502
/** How long a failed node is skipped. */
const REST_MS = 1000

/** Retries only GET and HEAD. */
export async function startBalancer(
  ports: readonly number[],
  where: { port?: number } = {},
): Promise<Balancer> {
  const served = new Map<number, number>(ports.map((port) => [port, 0]))
  const restsUntil = new Map<number, number>()
  let next = 0
  let failed = 0
  const inTurn = () => {
    next = (next + 1) % ports.length
    const order = [...ports.slice(next), ...ports.slice(0, next)]
    const isResting = (port: number) => (restsUntil.get(port) ?? 0) > Date.now()
    return [...order.filter((port) => !isResting(port)), ...order.filter(isResting)]
  }
  const server = createServer((incoming, response) => {
    const order = inTurn()
    const isSafe = incoming.method === 'GET' || incoming.method === 'HEAD'
    const pass = (attempt: number) => {
      const port = order[attempt]
      if (port === undefined || (!isSafe && attempt > 0)) {
        failed += 1
        response.writeHead(UNANSWERED).end()
        return
      }
      const onFailure = () => {
        restsUntil.set(port, Date.now() + REST_MS)
        pass(attempt + 1)
      }
      passOn({
        incoming,
        response,
        port,
        onFailure,
        onAnswer: () => served.set(port, (served.get(port) ?? 0) + 1),
      })
    }
    pass(0)
  })
  const loopback = await listenOnLoopback(server, where)
  return { ...loopback, url: `http://127.0.0.1:${loopback.port}`, served, failed: () => failed }
}

type Passing = {
  incoming: IncomingMessage
  response: ServerResponse
  port: number
  onFailure: () => void
  onAnswer: () => void
}

function passOn({ incoming, response, port, onFailure, onAnswer }: Passing): void {
  const { method, url, headers } = incoming
  const forwarded = { ...headers, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' }
  const asked = ask(
    { host: '127.0.0.1', port, method, path: url, headers: forwarded },
    (answer) => {
      onAnswer()
      response.writeHead(answer.statusCode ?? UNANSWERED, answer.headers)
      answer.on('error', () => response.destroy())
      answer.on('aborted', () => response.destroy())
      answer.pipe(response)
    },
  )
  asked.on('error', () => {
    if (response.headersSent) response.destroy()
    else if (!response.destroyed) onFailure()
  })
  response.on('close', () => asked.destroy())
  incoming.pipe(asked)
}
