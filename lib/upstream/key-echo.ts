/** Says whether a piece of an answer, taken with the pieces before it, repeats the key. */
export type EchoWatch = (piece: Uint8Array) => boolean

// Shorter keys stand in ordinary text by chance.
const SHORTEST_KEY = 8

/**
 * Watches for the key in what a service writes: one that answers a wrong key with "unknown key …" and a 200 would
 * otherwise have it shown as a column of its dump. Each call gives a watch for one answer.
 */
export function createEchoWatches(key: string): () => EchoWatch {
  const forms = [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]
  const needles = [...new Set(forms)].map((form) => Buffer.from(form))
  const overlap = Math.max(...needles.map((needle) => needle.length)) - 1
  if (key.length < SHORTEST_KEY) return () => () => false
  return () => {
    let tail = Buffer.alloc(0)
    return (piece) => {
      const text = Buffer.concat([tail, piece])
      tail = Buffer.from(text.subarray(Math.max(0, text.length - overlap)))
      return needles.some((needle) => text.includes(needle))
    }
  }
}
