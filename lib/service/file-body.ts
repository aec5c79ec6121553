import { open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { ByteRange } from './byte-range.ts'

const CHUNK_BYTES = 128 * 1024
const GZIP_LEVEL = 4

/**
 * A file, or a run of its bytes, as the body of an answer. It is opened when the reader begins, read as fast as the
 * reader reads, and closed when the reader is through or gone.
 */
export const toFileBody = (path: string, range: ByteRange): ReadableStream<Uint8Array> =>
  toBody(readRange(path, range))

/** A whole file of `size` bytes, compressed on its way. */
export const toGzipBody = (path: string, size: number): ReadableStream<Uint8Array> =>
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
  // A failure on either side reaches the reader through the iteration below.
  pipeline(Readable.from(chunks), gzip, () => {})
  yield* gzip
}
