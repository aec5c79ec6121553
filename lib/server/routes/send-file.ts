import 'server-only'
import { close, open, read } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { basename, dirname } from 'node:path'
import send from 'send'
import { readParameters, sendError, sendFailure } from '#lib/api/respond.ts'
import { databaseQuery, noQuery } from '#lib/contract/api-queries.ts'
import { AppError } from '#lib/contract/faults.ts'
import { dumpOperations } from '#lib/contract/operations/files.ts'
import type { Parameters, QuerySchema, ValuesOf } from '#lib/contract/query-schema.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import { toLogFields } from '#lib/server/environment/log.ts'
import type { Runtime } from '#lib/server/runtime/compose.ts'
import { openRuntime, processLog } from '#lib/server/runtime/runtime.ts'
import { sendShort } from './node-handlers.ts'

type Read = (...args: ReadArguments) => void

/** Limited, because reads share libuv's four threads with the database. */
export function createLimitedReads(limit: number, readFile: Read = read) {
  const waiting: (() => void)[] = []
  let active = 0
  const next = () => {
    if (active >= limit) return
    const start = waiting.shift()
    if (!start) return
    active += 1
    start()
  }
  const gated = (...[fd, buffer, offset, length, position, done]: ReadArguments) => {
    waiting.push(() =>
      readFile(fd, buffer, offset, length, position, (...result) => {
        active -= 1
        next()
        done(...result)
      }),
    )
    next()
  }
  return { open, close, read: gated }
}

type ReadArguments = [
  fd: number,
  buffer: Buffer,
  offset: number,
  length: number,
  position: number | null,
  done: (error: NodeJS.ErrnoException | null, bytesRead: number, buffer: Buffer) => void,
]

const READING = { highWaterMark: 256 * 1024, fs: createLimitedReads(2) }

type SentFile = { path: string; name: string; type: string; etag: string; modifiedAt: number }

/** Prevents path traversal. */
const FILE_NAME = /^(?:posts|lookups)-\d{4}-\d{2}-\d{2}\.csv$/

/** Concurrent requests share one fetch. */
export const sendEdition =
  (kind: DumpKind) =>
  (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> =>
    answer(incoming, outgoing, noQuery, async ({ editions }, { signal }) => {
      const { path, sha256, fetched_at } = await editions.ensure(kind, {
        signal,
        purpose: 'people',
      })
      return toEditionFile({ path, sha256, fetchedAt: fetched_at })
    })

const toEditionFile = (file: { path: string; sha256: string; fetchedAt: number }): SentFile => ({
  path: file.path,
  name: basename(file.path),
  type: 'text/csv; charset=utf-8',
  etag: `"${file.sha256}"`,
  modifiedAt: file.fetchedAt,
})

export async function sendEditionFile(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  await answer(incoming, outgoing, noQuery, async ({ editions }) => {
    const { pathname } = new URL(incoming.url ?? '/', 'http://in-process')
    const name = pathname.slice(pathname.lastIndexOf('/') + 1)
    const file = FILE_NAME.test(name) ? await editions.file(name) : null
    if (!file) throw new AppError('not_found', 'No stored edition has that name.')
    return toEditionFile(file)
  })
}

export const sendDatabase = (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> =>
  answer(incoming, outgoing, databaseQuery, async ({ database }, { tables, signal }) => {
    const { path, etag, asOf } = await database.ensure({ tables, signal })
    const { address, answer } = dumpOperations.getDatabase
    return { path, name: basename(address), type: answer.type, etag, modifiedAt: asOf }
  })

async function answer<P extends Parameters>(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  query: QuerySchema<P>,
  find: (runtime: Runtime, asked: ValuesOf<P> & { signal: AbortSignal }) => Promise<SentFile>,
): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  try {
    const refusal = selectRefusal(incoming)
    if (refusal) return await sendShort(outgoing, refusal)
    const asked = readParameters(query, selectParams(incoming))
    const runtime = await openRuntime()
    const file = await find(runtime, { ...asked, signal: gone.signal })
    const { path, name, type, etag, modifiedAt } = file
    outgoing.setHeader('Content-Type', type)
    outgoing.setHeader('Content-Disposition', `attachment; filename="${name}"`)
    outgoing.setHeader('ETag', etag)
    outgoing.setHeader('Last-Modified', new Date(modifiedAt * 1000).toUTCString())
    outgoing.setHeader('Cache-Control', 'private, no-cache, no-transform')
    await sendFile(incoming, outgoing, path)
  } catch (error) {
    if (outgoing.headersSent || gone.signal.aborted) outgoing.destroy()
    else await sendShort(outgoing, toFailed(outgoing, error))
  }
}

function toFailed(outgoing: ServerResponse, error: unknown): Response {
  for (const name of ['Content-Disposition', 'ETag', 'Last-Modified', 'Accept-Ranges']) {
    outgoing.removeHeader(name)
  }
  return sendError(error, (unknown) =>
    processLog().error('a download failed', toLogFields(unknown)),
  )
}

function selectRefusal(incoming: IncomingMessage): Response | null {
  if (incoming.method !== 'GET' && incoming.method !== 'HEAD') {
    const error = new AppError('method_not_allowed', 'This address allows only GET and HEAD.')
    return sendFailure(error, { allow: 'GET, HEAD' })
  }
  return null
}

/** A key in the address is ignored, and never forwarded. */
function selectParams(incoming: IncomingMessage): URLSearchParams {
  const { searchParams } = new URL(incoming.url ?? '/', 'http://in-process')
  searchParams.delete('api_key')
  return searchParams
}

function sendFile(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  path: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    send(incoming, encodeURIComponent(basename(path)), {
      root: dirname(path),
      cacheControl: false,
      dotfiles: 'allow',
      ...READING,
    })
      .on('error', (error: Error & { status?: number }) => reject(toSendProblem(error)))
      .pipe(outgoing)
    outgoing.once('close', resolve)
    outgoing.once('finish', resolve)
  })
}

function toSendProblem(error: Error & { status?: number }): Error {
  if (error.status === 412) {
    return new AppError('precondition_failed', 'The file does not match the If-Match header.')
  }
  if (error.status === 416) {
    return new AppError('range_not_satisfiable', 'The range starts after the end of the file.')
  }
  if (error.status === 404) {
    return new AppError('busy', 'The file is being replaced. Try again.', {
      retryAfterSeconds: 1,
    })
  }
  return error
}
