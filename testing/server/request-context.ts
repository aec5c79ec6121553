import { anonymousCaller } from '#lib/contract/caller.ts'
import type { RequestContext } from '#lib/server/gate/request-context.ts'

/** As the front makes it, for a caller with every permission. */
export const createTestContext = (given: Partial<RequestContext> = {}): RequestContext => ({
  id: 'test-request',
  client: '127.0.0.1',
  caller: anonymousCaller,
  link: null,
  url: '/',
  host: 'ratings.example',
  origin: new URL('https://ratings.example'),
  isHttps: false,
  signal: new AbortController().signal,
  isComplete: true,
  ...given,
})
