import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { mountApi } from './mount.ts'
import { answerOnSocket } from './node-adapter.ts'

/** Events, straight onto the socket: each leaves as it comes, and a reader who reads no more loses the connection. */
export const mountEvents = (incoming: IncomingMessage, outgoing: ServerResponse) =>
  answerOnSocket(incoming, outgoing, {
    answer: mountApi,
    // The reader was given up, which is what the hub does with one that does not read.
    onBroken: () => undefined,
  })
