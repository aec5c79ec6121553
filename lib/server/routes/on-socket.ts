import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Ask } from '#lib/client/fetch-api.ts'
import { once, selectOnce } from '#lib/server/environment/once.ts'

/** Answers a Node request itself: its length is kept, and a failure half way breaks the connection. */
export type SocketHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>

/** The drawing of a symbol or user by its name, as SVG. */
export type LoadDrawing = (name: string, ask: Ask) => Promise<string>

/** What the picture of a link can show, by the folder of its address. */
export type Drawn = 'symbols' | 'users'
export type LoadDrawings = Readonly<Record<Drawn, LoadDrawing>>

/** Kinds of answers that are written straight onto the socket. */
type SocketAnswer = 'export' | 'edition' | 'postsDump' | 'lookupsDump' | 'events' | 'service'

export type SocketAnswers = Readonly<Record<SocketAnswer, SocketHandler>> & {
  preview: (load: LoadDrawings) => SocketHandler
}

/** Says what {@link onSocket} and {@link onPreview} hand requests on to. */
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
 * What a file of the Pages API exports: hands its requests on to the process's own answer. The framework gives each such file a
 * bundle of all that it imports, and keeps the text of every bundle in memory: this is all that they may import.
 */
export const onSocket = (name: SocketAnswer): SocketHandler => handOn((answers) => answers[name])

/** The same for the picture of a link, which is drawn with what draws pages: that is not to be had everywhere. */
export const onPreview = (load: LoadDrawings): SocketHandler =>
  handOn((answers) => answers.preview(load))
