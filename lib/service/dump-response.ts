import { open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FAULT_STATUS } from '#lib/contract/faults.ts'
import type { ServiceEdition } from './dump-files.ts'

/**
 * RFC 9110, 13 and 14. The gzip form is a separate representation with its own tag and no ranges.
 */
export function toDumpAnswer(request: Request, edition: ServiceEdition): Response {
  const { headers, method } = request
  const plain = toTags(edition)
  const range = method === 'GET' ? selectRange(headers, edition, plain) : 'whole'
  const gzip = range === 'whole' && acceptsGzip(headers.get('accept-encoding'))
  const tags = gzip ? { ...plain, ETag: `"${edition.sha256}-gzip"` } : plain
  if (isUnchanged(headers, tags.ETag, edition.at)) {
    return new Response(null, { status: 304, headers: tags })
  }
  if (range === 'unsatisfiable') return toUnsatisfiable(edition, tags)
  const described = { ...tags, ...toDescription(edition) }
  if (gzip) {
    return new Response(method === 'HEAD' ? null : toGzipBody(edition.path, edition.bytes), {
      headers: { ...described, 'Content-Encoding': 'gzip', 'Accept-Ranges': 'none' },
    })
  }
  if (range === 'whole') return toWhole(method, edition, described)
  return toPart(edition, range, described)
}

const toTags = (edition: ServiceEdition) => ({
  ETag: `"${edition.sha256}"`,
  'Last-Modified': new Date(edition.at * 1000).toUTCString(),
  'Cache-Control': 'no-transform, private',
  Vary: 'Accept-Encoding',
})

const toDescription = (edition: ServiceEdition) => ({
  'Content-Type': 'text/csv; charset=utf-8',
  'Content-Disposition': `attachment; filename="${edition.fileName}"`,
  'Accept-Ranges': 'bytes',
})

function toWhole(method: string, edition: ServiceEdition, headers: Record<string, string>) {
  const all = { first: 0, last: edition.bytes - 1 }
  return new Response(method === 'HEAD' ? null : toFileBody(edition.path, all), {
    headers: { ...headers, 'Content-Length': String(edition.bytes) },
  })
}

function toPart(edition: ServiceEdition, range: ByteRange, headers: Record<string, string>) {
  return new Response(toFileBody(edition.path, range), {
    status: 206,
    headers: {
      ...headers,
      'Content-Length': String(range.last - range.first + 1),
      'Content-Range': `bytes ${range.first}-${range.last}/${edition.bytes}`,
    },
  })
}

function toUnsatisfiable(edition: ServiceEdition, headers: Record<string, string>) {
  const message = 'The range starts after the end of the file.'
  const body = {
    success: false,
    code: 416,
    data: [],
    message,
    error: { type: 'bad_request' satisfies keyof typeof FAULT_STATUS, message },
  }
  return Response.json(body, {
    status: 416,
    headers: { ...headers, 'Content-Range': `bytes */${edition.bytes}` },
  })
}

function selectRange(headers: Headers, edition: ServiceEdition, tags: Record<string, string>) {
  const condition = headers.get('if-range')
  if (condition !== null && condition !== tags.ETag && condition !== tags['Last-Modified']) {
    return 'whole'
  }
  return parseByteRange(headers.get('range'), edition.bytes)
}

function isUnchanged(headers: Headers, etag: string, at: number): boolean {
  const tags = headers.get('if-none-match')
  if (tags !== null) {
    return tags
      .split(',')
      .map((tag) => tag.trim().replace(/^W\//, ''))
      .some((tag) => tag === '*' || tag === etag)
  }
  const since = Date.parse(headers.get('if-modified-since') ?? '')
  return since >= at * 1000
}

function acceptsGzip(header: string | null): boolean {
  const qualities = new Map(
    (header ?? '').split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const quality = parameters.find((text) => text.startsWith('q='))
      return [name, quality === undefined ? 1 : Number(quality.slice(2))]
    }),
  )
  return (qualities.get('gzip') ?? qualities.get('*') ?? 0) > 0
}

/** Both ends inclusive. */
type ByteRange = { first: number; last: number }

const ONE_RANGE = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i

/**
 * Returns `whole` if the header must be ignored, `unsatisfiable` if the range begins past the end.
 */
function parseByteRange(
  header: string | null,
  size: number,
): ByteRange | 'whole' | 'unsatisfiable' {
  const match = header === null ? null : ONE_RANGE.exec(header)
  const [, from = '', to = ''] = match ?? []
  if (from === '' && to === '') return 'whole'
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 }
  }
  const first = Number(from)
  const last = to === '' ? size - 1 : Number(to)
  if (to !== '' && last < first) return 'whole'
  return first >= size ? 'unsatisfiable' : { first, last: Math.min(last, size - 1) }
}

const CHUNK_BYTES = 128 * 1024
const GZIP_LEVEL = 4

const toFileBody = (path: string, range: ByteRange): ReadableStream<Uint8Array> =>
  toBody(readRange(path, range))

const toGzipBody = (path: string, size: number): ReadableStream<Uint8Array> =>
  toBody(compress(readRange(path, { first: 0, last: size - 1 })))

function toBody(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await chunks.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

async function* readRange(path: string, range: ByteRange): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r')
  try {
    let position = range.first
    while (position <= range.last) {
      const wanted = Math.min(CHUNK_BYTES, range.last - position + 1)
      const { bytesRead, buffer } = await file.read(
        Buffer.allocUnsafeSlow(wanted),
        0,
        wanted,
        position,
      )
      if (bytesRead === 0) throw new Error('the file is shorter than it was')
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

async function* compress(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gzip = createGzip({ level: GZIP_LEVEL, chunkSize: CHUNK_BYTES })
  // Errors surface through the iteration below.
  pipeline(Readable.from(chunks), gzip, () => {})
  yield* gzip
}
