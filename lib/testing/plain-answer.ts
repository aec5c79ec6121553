/** An answer before it is sent. Header names are in lower case; `content-length` is what is said, true or not. */
export type PlainAnswer = { status: number; headers: Record<string, string>; body: Uint8Array }

export function toAnswer(status: number, type: string, body: string | Uint8Array): PlainAnswer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const headers = { 'content-type': type, 'content-length': String(bytes.byteLength) }
  return { status, headers, body: bytes }
}

export const toJsonAnswer = (status: number, body: unknown): PlainAnswer =>
  toAnswer(status, 'application/json', JSON.stringify(body))

/** The envelope of a failure, by the status that it is sent with. */
export const toFailureAnswer = (code: number, message: string, status = code): PlainAnswer =>
  toJsonAnswer(status, { success: false, code, data: [], message })

/** With other bytes, and the length of those. */
export const withBody = (answer: PlainAnswer, body: Uint8Array): PlainAnswer => ({
  ...answer,
  headers: { ...answer.headers, 'content-length': String(body.byteLength) },
  body,
})

export const withHeaders = (answer: PlainAnswer, headers: Record<string, string>): PlainAnswer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
})
