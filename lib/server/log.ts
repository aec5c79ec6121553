import 'server-only'

export type LogFields = Record<string, string | number | boolean | null>
export type Log = (message: string, fields?: LogFields) => void

const FIELD_MAX_LENGTH = 2000

const shorten = (value: LogFields[string]) =>
  typeof value === 'string' && value.length > FIELD_MAX_LENGTH
    ? `${value.slice(0, FIELD_MAX_LENGTH)}…`
    : value

/** A log of one JSON object a line; JSON escapes what could forge a line or colour a terminal. */
export function createLog(write: (line: string) => void, now: () => Date): Log {
  return (message, fields = {}) => {
    const short = Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, shorten(value)]),
    )
    write(`${JSON.stringify({ time: now().toISOString(), message, ...short })}\n`)
  }
}

/** What may be logged of an error: its name, its message, those of its cause, and where it came from. */
export function toLogFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error }
  const { name, message, cause, stack } = error
  return {
    error: name,
    detail: message,
    ...(cause instanceof Error ? { cause: `${cause.name}: ${cause.message}` } : {}),
    at: stack?.split('\n')[1]?.trim() ?? '',
  }
}
