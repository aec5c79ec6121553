const CHUNK_CHARACTERS = 64 * 1024

/**
 * Texts as a stream of bytes in chunks of about 64 KiB. It is pulled: a slow reader slows the source, and a reader who
 * goes away ends it.
 */
export function toByteStream(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let chunk = ''
        while (chunk.length < CHUNK_CHARACTERS) {
          const { value, done } = await texts.next()
          if (done) {
            if (chunk !== '') controller.enqueue(encoder.encode(chunk))
            controller.close()
            return
          }
          chunk += value
        }
        controller.enqueue(encoder.encode(chunk))
      },
      async cancel() {
        await texts.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
