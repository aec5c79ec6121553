import 'server-only'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { once } from './once.ts'

/** A request that has been answered, or whose asker has gone. */
export type Answered = {
  id: string
  method: string
  url: string
  /** 0 where the connection ended before there was one. */
  status: number
  seconds: number
}

/** The requests of this process: how many are being answered, and whoever wants to hear of each that was. */
export type Traffic = {
  begin(
    request: IncomingMessage,
    response: ServerResponse,
    facts: { server: Server; id: string },
  ): void
  active(): number
  onAnswered(listener: (answered: Answered) => void): void
  /** Takes no new connection; resolves when nothing is being answered any more, or when `signal` fires. */
  drain(signal: AbortSignal): Promise<void>
  /** Breaks off whatever is still open. */
  cut(): void
}

const LISTENERS_MAX = 20

export function createTraffic(nowMs: () => number): Traffic {
  const servers = new Set<Server>()
  const listeners: ((answered: Answered) => void)[] = []
  let active = 0
  let onIdle = () => {}
  return {
    begin(request, response, { server, id }) {
      servers.add(server)
      active += 1
      const startedMs = nowMs()
      // As it was asked, before the framework rewrites it.
      const { method = 'GET', url = '/' } = request
      // The framework listens to it as often as is usual already.
      response.setMaxListeners(LISTENERS_MAX)
      response.once('close', () => {
        active -= 1
        const status = response.headersSent ? response.statusCode : 0
        const seconds = (nowMs() - startedMs) / 1000
        for (const tell of listeners) tell({ id, method, url, status, seconds })
        if (active === 0) onIdle()
      })
    },
    active: () => active,
    onAnswered: (listener) => void listeners.push(listener),
    async drain(signal) {
      for (const server of servers) server.close()
      if (active === 0 || signal.aborted) return
      await new Promise<void>((resolve) => {
        onIdle = resolve
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    },
    cut() {
      for (const server of servers) server.closeAllConnections()
    },
  }
}

/** The process's own. */
export const processTraffic = (): Traffic =>
  once('traffic', () => createTraffic(() => performance.now()))
