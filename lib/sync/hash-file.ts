import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

const PIECE_BYTES = 262_144

/** The SHA-256 of a file, read piece by piece. Throws what the file system says, or the reason of an abort. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) {
    signal?.throwIfAborted()
    hash.update(piece)
  }
  return hash.digest('hex')
}
