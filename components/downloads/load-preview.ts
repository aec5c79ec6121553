import { ApiError } from '#lib/client/api-error.ts'
import { toApiError } from '#lib/client/parse-answer.ts'
import type { Preview } from './parse-preview.ts'

export type LoadedPreview = Preview & { isWhole: boolean }

/**
 * The records in the first `length` bytes of a file of ours. Throws ApiError where it cannot be had, or the abort's own
 * error.
 */
export async function loadPreview(
  url: string,
  length: number,
  signal: AbortSignal,
): Promise<LoadedPreview> {
  const response = await fetch(url, { headers: { range: `bytes=0-${length - 1}` }, signal })
  if (!response.ok) throw toApiError(response, await response.json().catch(() => null))
  const bytes = await response.arrayBuffer()
  const isWhole = toTotal(response) <= bytes.byteLength
  return { ...(await parseBeside(bytes, isWhole, signal)), isWhole }
}

/** Bytes of the whole file: behind the slash of a part's Content-Range, else what came is all. */
function toTotal({ status, headers }: Response): number {
  if (status !== 206) return 0
  return Number(
    /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1] ?? Number.POSITIVE_INFINITY,
  )
}

function parseBeside(bytes: ArrayBuffer, isWhole: boolean, signal: AbortSignal): Promise<Preview> {
  const worker = new Worker(new URL('./preview-worker.ts', import.meta.url), { type: 'module' })
  const parsed = new Promise<Preview>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Preview>) => resolve(data)
    worker.onerror = () => reject(new ApiError('internal', 0, 'The rows could not be read.', []))
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  worker.postMessage({ bytes, isWhole }, [bytes])
  return parsed.finally(() => worker.terminate())
}
