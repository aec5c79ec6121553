/** As much of an answer as is shown. `isWhole`: nothing was left out. */
export type Bounded = { text: string; bytes: number; isWhole: boolean }

/**
 * Reads a body up to so many bytes, or until `signal` says that it was long enough: an export may be large, and a stream
 * of events does not end. The rest is not fetched.
 */
export async function readBounded(
  response: Response,
  { bytesMax, signal }: { bytesMax: number; signal: AbortSignal },
): Promise<Bounded> {
  const reader = response.body?.getReader()
  if (!reader) return { text: '', bytes: 0, isWhole: true }
  const decoder = new TextDecoder()
  const read = { text: '', bytes: 0, isWhole: false }
  const stop = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', stop, { once: true })
  while (!signal.aborted) {
    const { done, value } = await reader.read()
    if (done) {
      read.isWhole = !signal.aborted
      break
    }
    const piece = value.subarray(0, bytesMax - read.bytes)
    read.bytes += piece.byteLength
    read.text += decoder.decode(piece, { stream: true })
    if (piece.byteLength < value.byteLength) break
  }
  signal.removeEventListener('abort', stop)
  if (!read.isWhole) stop()
  return read
}

/** JSON as people read it, if all of it came; anything else as it is. */
export function toShownText({ text, isWhole }: Bounded, type: string): string {
  if (!isWhole || !type.startsWith('application/json')) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
