import 'server-only'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { basename, dirname } from 'node:path'
import send from 'send'
import { sendError, sendFailure } from '#lib/api/respond.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import { isAllowedHost } from './allowed-hosts.ts'
import { openHouse, processLog } from './house.ts'
import { toLogFields } from './log.ts'
import { misdirected } from './mount.ts'
import { sendShort } from './node-adapter.ts'

/** The library hands its options on to the file's stream: pieces of 256 KiB go out faster than its 64. */
const READING = { highWaterMark: 256 * 1024 }

/** Sends the current edition of a dump from disk; the first to ask waits while it is fetched. */
export async function sendEdition(
  kind: DumpKind,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  try {
    const refusal = selectRefusal(incoming)
    if (refusal) return await sendShort(outgoing, refusal)
    const house = await openHouse()
    if (!isAllowedHost(house.env.allowedHosts, incoming.headers.host ?? null)) throw misdirected()
    const edition = await house.editions.ensure(kind, { signal: gone.signal })
    outgoing.setHeader('Content-Type', 'text/csv; charset=utf-8')
    outgoing.setHeader('Content-Disposition', `attachment; filename="${edition.fileName}"`)
    outgoing.setHeader('ETag', `"${edition.sha256}"`)
    outgoing.setHeader('Last-Modified', new Date(edition.fetched_at * 1000).toUTCString())
    outgoing.setHeader('Cache-Control', 'private, no-cache, no-transform')
    await sendFile(incoming, outgoing, edition.path)
  } catch (error) {
    if (outgoing.headersSent || gone.signal.aborted) outgoing.destroy()
    else await sendShort(outgoing, toFailed(outgoing, error))
  }
}

/** A failure, and nothing on it of the file that was to be sent. */
function toFailed(outgoing: ServerResponse, error: unknown): Response {
  for (const name of ['Content-Disposition', 'ETag', 'Last-Modified', 'Accept-Ranges']) {
    outgoing.removeHeader(name)
  }
  return sendError(error, (unknown) => processLog()('a download failed', toLogFields(unknown)))
}

function selectRefusal(incoming: IncomingMessage): Response | null {
  const { searchParams } = new URL(incoming.url ?? '/', 'http://in-process')
  if (incoming.method !== 'GET' && incoming.method !== 'HEAD') {
    const error = new AppError('method_not_allowed', 'This address takes GET and HEAD only.')
    return sendFailure(error, { allow: 'GET, HEAD' })
  }
  // A key that a browser sends is neither used nor passed on.
  searchParams.delete('api_key')
  const issues = [...new Set(searchParams.keys())].map((name) => ({
    parameter: name.slice(0, 64),
    message: 'is not a parameter here',
  }))
  if (issues.length === 0) return null
  return sendFailure(new AppError('bad_request', 'A dump takes no parameter.', { issues }))
}

/** Range, If-Range, If-None-Match and HEAD are the library's; the validators are those set before. */
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
    return new AppError('precondition_failed', 'The dump is not the one that was asked for.')
  }
  if (error.status === 416) {
    return new AppError('range_not_satisfiable', 'The range begins behind the end of the dump.')
  }
  return error
}
