import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FetchAnswer } from '#lib/client/fetch-api.ts'
import { selectSingleton, singleton } from '#lib/server/environment/singleton.ts'

export type SocketHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

type LoadDrawing = (name: string, ask: FetchAnswer) => Promise<string>

export type Drawn = 'symbols' | 'users'
export type LoadDrawings = Readonly<Record<Drawn, LoadDrawing>>

type SocketAnswer = 'export' | 'edition' | 'postsDump' | 'lookupsDump' | 'events' | 'service'

export type SocketAnswers = Readonly<Record<SocketAnswer, SocketHandler>> & {
  preview: (load: LoadDrawings) => SocketHandler
}

export const registerOnSocket = (create: () => SocketAnswers) => singleton(ANSWERS, create)

const ANSWERS = 'socket answers'
const RETRY_SECONDS = '1'

const handOn =
  (select: (answers: SocketAnswers) => SocketHandler): SocketHandler =>
  async (incoming, outgoing) => {
    const answers = selectSingleton<SocketAnswers>(ANSWERS)
    if (answers) return await select(answers)(incoming, outgoing)
    outgoing.writeHead(503, { 'retry-after': RETRY_SECONDS, 'cache-control': 'no-store' }).end()
  }

/**
 * Files of the Pages API must import nothing else: the framework keeps a separate bundle of all
 * imports per file in memory.
 */
export const onSocket = (name: SocketAnswer): SocketHandler => handOn((answers) => answers[name])

export const onPreview = (load: LoadDrawings): SocketHandler =>
  handOn((answers) => answers.preview(load))
