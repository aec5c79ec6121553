import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { processLog } from './house.ts'
import { toLogFields } from './log.ts'
import { mountApi } from './mount.ts'
import { answerOnSocket } from './node-adapter.ts'

/** An export, straight onto the socket: a failure half way breaks the connection, and a length that is known is sent. */
export const mountExport = (incoming: IncomingMessage, outgoing: ServerResponse) =>
  answerOnSocket(incoming, outgoing, {
    answer: mountApi,
    onBroken: (error) => processLog().error('an export broke off', toLogFields(error)),
  })
