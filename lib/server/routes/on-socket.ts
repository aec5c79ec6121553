import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Ask } from '#lib/client/fetch-api.ts'
import { once, selectOnce } from '#lib/server/environment/once.ts'

/** Bypasses the framework. */
export type SocketHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

/** Returns SVG. */
export type LoadDrawing = (name: string, ask: Ask) => Promise<string>

export type Drawn = 'symbols' | 'users'
export type LoadDrawings = Readonly<Record<Drawn, LoadDrawing>>

type SocketAnswer = 'export' | 'edition' | 'postsDump' | 'lookupsDump' | 'events' | 'service'

export type SocketAnswers = Readonly<Record<SocketAnswer, SocketHandler>> & {
  preview: (load: LoadDrawings) => SocketHandler
}

export const registerOnSocket = (create: () => SocketAnswers) => once(ANSWERS, create)

const ANSWERS = 'socket answers'
const RETRY_SECONDS = '1'

const handOn =
  (select: (answers: SocketAnswers) => SocketHandler): SocketHandler =>
  async (incoming, outgoing) => {
    const answers = selectOnce<SocketAnswers>(ANSWERS)
    if (answers) return await select(answers)(incoming, outgoing)
    outgoing.writeHead(503, { 'retry-after': RETRY_SECONDS, 'cache-control': 'no-store' }).end()
  }

/**
 * For files of the Pages API, which must import nothing else: the framework bundles their imports
 * separately for each, and keeps every bundle in memory.
 */
export const onSocket = (name: SocketAnswer): SocketHandler => handOn((answers) => answers[name])

/** The drawing code depends on pages, so the route passes it in. */
export const onPreview = (load: LoadDrawings): SocketHandler =>
  handOn((answers) => answers.preview(load))
