import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { sendError, sendFailure } from '#lib/api/respond.ts'
import { toOwnPath } from '#lib/contract/base-path.ts'
import { AppError } from '#lib/contract/faults.ts'
import { toLogFields } from '#lib/server/environment/log.ts'
import { openRuntime, processLog } from '#lib/server/runtime/runtime.ts'
import { answerApi } from './mount.ts'
import type { SocketHandler } from './on-socket.ts'

/**
 * Keeps Content-Length; a failure midway aborts the connection. Over HTTP/1.0 a file without a
 * length is refused: there the end of the connection is the end of the file.
 */
export const answerExport: SocketHandler = (incoming, outgoing) =>
  answerOnSocket(incoming, outgoing, {
    answer: answerApi,
    onBroken: (error) => processLog().error('an export was interrupted', toLogFields(error)),
  })

export const answerEvents: SocketHandler = (incoming, outgoing) =>
  answerOnSocket(incoming, outgoing, {
    answer: answerApi,
    onBroken: () => undefined,
  })

export const toPath = (url = ''): string => toOwnPath(url.split('?')[0] ?? '')

export const mountService: SocketHandler = (incoming, outgoing) =>
  answerOnSocket(incoming, outgoing, {
    answer,
    onBroken: (error) =>
      processLog().error('a response of the service was interrupted', toLogFields(error)),
  })

async function answer(request: Request): Promise<Response> {
  try {
    const { service } = await openRuntime()
    if (!service) throw new AppError('not_found', 'No embedded service runs here.')
    return await service.handle(request)
  } catch (error) {
    return sendError(error, (unknown) =>
      processLog().error('a request to the service failed', toLogFields(unknown)),
    )
  }
}

const isBeforeChunks = ({ httpVersion }: IncomingMessage) => Number(httpVersion) < 1.1

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const text of [value ?? []].flat()) headers.append(name, text)
  }
  // A compressed file would have no length.
  if (isBeforeChunks(incoming)) headers.delete('accept-encoding')
  const url = new URL(incoming.url ?? '/', 'http://in-process')
  return new Request(url, { method: incoming.method ?? 'GET', headers, signal })
}

type OnSocket = {
  answer: (request: Request) => Promise<Response>
  onBroken: (error: unknown) => void
}

async function answerOnSocket(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { answer, onBroken }: OnSocket,
): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  try {
    const response = await answer(toRequest(incoming, gone.signal))
    if (isBeforeChunks(incoming) && isFileWithoutLength(response)) {
      await response.body?.cancel()
      return await sendShort(outgoing, sendFailure(needsChunks()))
    }
    await sendResponse(outgoing, response)
  } catch (error) {
    onBroken(error)
    outgoing.destroy()
  }
}

const isFileWithoutLength = ({ body, headers }: Response) =>
  body !== null && headers.has('content-disposition') && !headers.has('content-length')

const needsChunks = () =>
  new AppError(
    'http_version_not_supported',
    'Over HTTP/1.0 a file that breaks off would look complete. Request it over HTTP/1.1. If a proxy is in between, set its version: in nginx, proxy_http_version 1.1;',
  )

/** A disconnect cancels the body. */
export async function sendResponse(outgoing: ServerResponse, response: Response): Promise<void> {
  writeHead(outgoing, response)
  if (!response.body) {
    outgoing.end()
    return
  }
  const body = Readable.fromWeb(response.body as NodeReadableStream<Uint8Array>)
  await pipeline(body, outgoing).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}

export async function sendShort(outgoing: ServerResponse, response: Response): Promise<void> {
  writeHead(outgoing, response)
  outgoing.end(new Uint8Array(await response.arrayBuffer()))
}

function writeHead(outgoing: ServerResponse, { status, headers }: Response): void {
  outgoing.statusCode = status
  for (const [name, value] of headers) outgoing.setHeader(name, value)
}
