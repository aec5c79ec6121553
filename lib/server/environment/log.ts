import 'server-only'
import { format, stripVTControlCharacters } from 'node:util'
import pino from 'pino'
import type { LogLevel } from './env.ts'

export type LogFields = Record<string, string | number | boolean | null>

/** Says a sentence and its facts. What is wrong has a level of its own. */
export type Log = {
  (message: string, fields?: LogFields): void
  debug(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

export type LogOptions = {
  write: (line: string) => void
  now: () => Date
  level?: LogLevel
  /** What no line may hold, in whatever way it is written in it. Asked for each line: some are known only later. */
  secrets?: () => readonly string[]
}

const FIELD_MAX_LENGTH = 2000

const shorten = (value: LogFields[string]) =>
  typeof value === 'string' && value.length > FIELD_MAX_LENGTH
    ? `${value.slice(0, FIELD_MAX_LENGTH)}…`
    : value

/**
 * A log of one JSON object a line: `time`, `level`, `message`, then the facts. JSON escapes what could forge a line or
 * colour a terminal. Nothing secret is ever given to it; should something be, it is blotted out.
 */
export function createLog({ write, now, level = 'info', secrets = () => [] }: LogOptions): Log {
  const logger = pino(
    {
      level,
      base: undefined,
      messageKey: 'message',
      timestamp: () => `,"time":"${now().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => write(toPrintable(blotOut(line, secrets()))) },
  )
  const at =
    (name: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      const short = Object.fromEntries(
        Object.entries(fields).map(([key, value]) => [key, shorten(value)]),
      )
      logger[name](short, message)
    }
  return Object.assign(at('info'), { debug: at('debug'), warn: at('warn'), error: at('error') })
}

/** What JSON leaves as it is and a terminal obeys all the same: more control characters, and those that turn text around. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const toPrintable = (line: string) => `${line.trimEnd().replace(UNSEEN, toEscape)}\n`

const toEscape = (character: string) =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** As it is, as in an address, as in a header, and as JSON writes it. */
function blotOut(line: string, secrets: readonly string[]): string {
  let clean = line
  for (const secret of secrets) {
    const base64 = Buffer.from(secret).toString('base64')
    const forms = [secret, encodeURIComponent(secret), base64, JSON.stringify(secret).slice(1, -1)]
    for (const form of forms) clean = clean.replaceAll(form, '[secret]')
  }
  return clean
}

/**
 * What the framework says on the console of what went wrong becomes a line of the log: it quotes whoever asked, as they wrote
 * it, and over several lines.
 */
export function hearConsole(log: Log, spoken: Pick<Console, 'error' | 'warn'> = console): void {
  const toFields = (said: unknown[]) => ({ detail: stripVTControlCharacters(format(...said)) })
  spoken.error = (...said) => log.error('the framework reports a failure', toFields(said))
  spoken.warn = (...said) => log.warn('the framework warns', toFields(said))
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
