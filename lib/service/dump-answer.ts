import type { FAULT_STATUS } from '#lib/contract/faults.ts'
import { type ByteRange, parseByteRange } from './byte-range.ts'
import type { ServiceEdition } from './editions.ts'
import { toFileBody, toGzipBody } from './file-body.ts'

/**
 * A request for an edition, answered: whole, in part, compressed, or not at all where the reader has it already
 * (RFC 9110, 13 and 14). The compressed form is another representation, with a tag of its own and no ranges.
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
  const message = 'The range begins behind the end of the file.'
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

/** The range asked for, where If-Range allows it: it names this very file, else the whole of it is wanted. */
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
