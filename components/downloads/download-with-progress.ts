import { ApiError } from '#lib/client/api-error.ts'
import { toApiError } from '#lib/client/parse-answer.ts'

/** What has come of a file so far. It outlives a failure, so that the next attempt goes on where this one ended. */
export type Held = {
  parts: Uint8Array<ArrayBuffer>[]
  received: number
  /** Bytes of the whole file; null where the server did not say. */
  total: number | null
  etag: string | null
  fileName: string | null
}

export const holdNothing = (): Held => ({
  parts: [],
  received: 0,
  total: null,
  etag: null,
  fileName: null,
})

export type DownloadOptions = {
  fetchFile: (url: string, init: RequestInit) => Promise<Response>
  signal: AbortSignal
  onProgress: (held: Held) => void
}

/**
 * Downloads a file into `held`, or what is still missing of it. A part is only ever added to the file it belongs to:
 * where the file has changed since, everything begins again. Throws ApiError, or the abort's own error.
 */
export async function downloadWithProgress(
  url: string,
  held: Held,
  options: DownloadOptions,
): Promise<void> {
  try {
    const response = await ask(url, held, options)
    if (!response.ok) throw toApiError(response, await response.json().catch(() => null))
    if (response.status !== 206) Object.assign(held, holdNothing())
    readHeaders(held, response.headers)
    await readBody(held, response, options)
  } catch (error) {
    if (options.signal.aborted || error instanceof ApiError) throw error
    throw new ApiError('offline', 0, 'The connection broke.', [])
  }
  if (held.total !== null && held.received !== held.total) {
    throw new ApiError('offline', 0, 'The connection broke before the file was complete.', [])
  }
}

async function ask(url: string, held: Held, { fetchFile, signal }: DownloadOptions) {
  const headers: Record<string, string> = {}
  if (held.received > 0 && held.etag !== null) {
    headers.Range = `bytes=${held.received}-`
    headers['If-Range'] = held.etag
  }
  return await fetchFile(url, { headers, signal, cache: 'no-store' })
}

function readHeaders(held: Held, headers: Headers): void {
  const length = Number(headers.get('content-length') ?? Number.NaN)
  held.total = Number.isInteger(length) ? held.received + length : null
  held.etag = headers.get('etag')
  held.fileName =
    /filename="([^"/\\]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? null
}

async function readBody(held: Held, response: Response, { onProgress }: DownloadOptions) {
  const reader = response.body?.getReader()
  if (!reader) return
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    held.parts.push(value)
    held.received += value.byteLength
    onProgress(held)
  }
}

const SHA256_TAG = /^"([0-9a-f]{64})"$/

/**
 * Does the file match the SHA-256 that the server names it by? Null where this cannot be told: the tag is no
 * checksum, or the browser has no cryptography because the page came over plain HTTP from another computer.
 */
export async function verifyChecksum(
  file: Blob,
  etag: string | null,
  crypto: Crypto,
): Promise<boolean | null> {
  const expected = SHA256_TAG.exec(etag ?? '')?.[1]
  if (expected === undefined || !('subtle' in crypto)) return null
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0'))
  return hex.join('') === expected
}
