import { ApiError } from '#lib/client/api-error.ts'
import { toApiError } from '#lib/client/parse-answer.ts'
import { DATABASE_CACHE } from '#lib/client/signed-out.ts'
import { withBase } from '#lib/contract/base-path.ts'

/**
 * `url` has the set of tables. `bytes`: the length that the server states. `etag` names this
 * version of the file.
 */
export type DatabaseFile = { url: string; etag: string; bytes: number }

type LoadOptions = {
  fetchFile: (url: string, init: RequestInit) => Promise<Response>
  /** Null or failing: the file is fetched on each visit. */
  storage: () => Promise<Cache> | null
  signal: AbortSignal
  onProgress: (bytes: number) => void
}

/** Null where the browser has none, as on plain HTTP, or refuses it. */
export function openStorage(): Promise<Cache> | null {
  try {
    return 'caches' in globalThis ? caches.open(DATABASE_CACHE) : null
  } catch {
    return null
  }
}

export async function isKept(
  file: DatabaseFile,
  storage: LoadOptions['storage'],
): Promise<boolean> {
  return (await readKept(file, await openKept(storage))) !== null
}

/**
 * Keeps the latest file of each set. Throws ApiError, with status 412 if the server no longer has
 * the file, or the abort reason.
 */
export async function loadDatabase(
  file: DatabaseFile,
  { fetchFile, storage, signal, onProgress }: LoadOptions,
): Promise<Blob> {
  const cache = await openKept(storage)
  const kept = await readKept(file, cache)
  signal.throwIfAborted()
  if (kept) return kept
  const fetched = await receive(file, { fetchFile, signal, onProgress })
  void keep(file, fetched, cache)
  return fetched
}

const openKept = async (storage: LoadOptions['storage']) => {
  try {
    return await storage()
  } catch {
    return null
  }
}

const toPrefix = ({ url }: DatabaseFile) => `${withBase(url)}&etag=`

const toKey = (file: DatabaseFile) => `${toPrefix(file)}${encodeURIComponent(file.etag)}`

async function readKept(file: DatabaseFile, cache: Cache | null): Promise<Blob | null> {
  try {
    const blob = await (await cache?.match(toKey(file)))?.blob()
    return blob?.size === file.bytes ? blob : null
  } catch {
    return null
  }
}

async function keep(file: DatabaseFile, content: Blob, cache: Cache | null): Promise<void> {
  try {
    for (const request of (await cache?.keys()) ?? []) {
      const isOfOtherSet = request.url.includes('&etag=') && !request.url.includes(toPrefix(file))
      if (!isOfOtherSet) await cache?.delete(request)
    }
    await cache?.put(toKey(file), new Response(content))
  } catch {
    // Full or refused: fetched again on the next visit.
  }
}

async function receive(
  { url, etag, bytes }: DatabaseFile,
  { fetchFile, signal, onProgress }: Omit<LoadOptions, 'storage'>,
): Promise<Blob> {
  const response = await fetchFile(url, { signal, headers: { 'if-match': etag } }).catch(
    (error: unknown) => {
      signal.throwIfAborted()
      throw error instanceof ApiError ? error : OFFLINE()
    },
  )
  if (!response.ok) throw toApiError(response, await response.json().catch(() => null))
  const parts: Uint8Array<ArrayBuffer>[] = []
  let received = 0
  const reader = response.body?.getReader()
  for (;;) {
    const chunk = await reader?.read().catch(() => {
      signal.throwIfAborted()
      throw CUT_SHORT()
    })
    if (!chunk || chunk.done) break
    parts.push(chunk.value)
    received += chunk.value.byteLength
    onProgress(received)
  }
  if (received !== bytes) throw CUT_SHORT()
  return new Blob(parts, { type: 'application/octet-stream' })
}

const OFFLINE = () => new ApiError('offline', 0, 'The dashboard could not be reached.', [])

const CUT_SHORT = () => new ApiError('offline', 0, 'The download of the data was cut short.', [])
