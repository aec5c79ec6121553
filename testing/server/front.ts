import type { IncomingMessage, ServerResponse } from 'node:http'
import { createOpenGate } from '#lib/server/gate/access-gate.ts'
import { createFront, type Front, type Next } from '#lib/server/gate/front.ts'
import { toOverflowRefusal } from '#lib/server/gate/refusal.ts'
import { createTraffic } from '#lib/server/gate/traffic.ts'

type FrontOptions = Parameters<typeof createFront>[0]

/** Admits everybody and passes every request on, unless told otherwise. */
export const createTestFront = (given: Partial<FrontOptions> = {}): Front =>
  createFront({
    basePath: '',
    publicUrl: null,
    allowedHosts: null,
    hstsSeconds: 0,
    traffic: createTraffic(() => performance.now()),
    isProxy: () => false,
    gate: createOpenGate({ isDev: false }),
    waitForGeneration: null,
    answer: (request, response, { next }) => next(request, response),
    isDev: false,
    onError: (error) => {
      throw error
    },
    ...given,
  })

/** What `createWebServer` of `scripts/serve.mjs` takes. */
export const toServerOptions = (front: Front, next: Next = () => {}) => ({
  answer: (request: IncomingMessage, response: ServerResponse) =>
    void front(request, response, next),
  toOverflowRefusal,
})
