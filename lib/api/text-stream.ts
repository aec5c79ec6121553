const CHUNK_CHARACTERS = 64 * 1024

/**
 * Texts as a stream of bytes in chunks of about 64 KiB. It is pulled: a slow reader slows the source, and a reader who
 * goes away ends it. `onEnd` is called when it is over, read to its end or not.
 */
export function toByteStream(
  texts: AsyncGenerator<string>,
  onEnd: () => void = () => {},
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const next = async () => {
    try {
      const result = await texts.next()
      if (result.done) onEnd()
      return result
    } catch (error) {
      onEnd()
      throw error
    }
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let chunk = ''
        while (chunk.length < CHUNK_CHARACTERS) {
          const { value, done } = await next()
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
        onEnd()
        await texts.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
