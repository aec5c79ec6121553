import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { selectSingleton, singleton } from '#lib/server/environment/singleton.ts'

export type SocketHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

type SocketAnswer = 'export' | 'edition' | 'postsDump' | 'lookupsDump' | 'events' | 'service'

export type SocketAnswers = Readonly<Record<SocketAnswer, SocketHandler>>

export const registerOnSocket = (create: () => SocketAnswers) => singleton(ANSWERS, create)

const ANSWERS = 'socket answers'
const RETRY_SECONDS = '1'

/**
 * Files of the Pages API must import nothing else: the framework keeps a separate bundle of all
 * imports per file in memory.
 */
export const onSocket =
  (name: SocketAnswer): SocketHandler =>
  async (incoming, outgoing) => {
    const answers = selectSingleton<SocketAnswers>(ANSWERS)
    if (answers) return await answers[name](incoming, outgoing)
    outgoing.writeHead(503, { 'retry-after': RETRY_SECONDS, 'cache-control': 'no-store' }).end()
  }
