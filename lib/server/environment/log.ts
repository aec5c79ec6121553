import 'server-only'
import { format, stripVTControlCharacters } from 'node:util'
import pino from 'pino'
import type { LogLevel } from './env.ts'

export type LogFields = Record<string, string | number | boolean | null>

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
  /** A function, because some become known later. */
  secrets?: () => readonly string[]
}

const FIELD_MAX_LENGTH = 2000

const shorten = (value: LogFields[string]) =>
  typeof value === 'string' && value.length > FIELD_MAX_LENGTH
    ? `${value.slice(0, FIELD_MAX_LENGTH)}…`
    : value

/** JSON escaping prevents forged lines. Redacts secrets as a last resort. */
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
      if (!logger.isLevelEnabled(name)) return
      const short = Object.fromEntries(
        Object.entries(fields).map(([key, value]) => [key, shorten(value)]),
      )
      logger[name](short, message)
    }
  return Object.assign(at('info'), { debug: at('debug'), warn: at('warn'), error: at('error') })
}

/** JSON leaves these, but terminals obey them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const toPrintable = (line: string) => `${line.trimEnd().replace(UNSEEN, toEscape)}\n`

const toEscape = (character: string) =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

function blotOut(line: string, secrets: readonly string[]): string {
  let clean = line
  for (const secret of secrets) {
    const base64 = Buffer.from(secret).toString('base64')
    const forms = [secret, encodeURIComponent(secret), base64, JSON.stringify(secret).slice(1, -1)]
    for (const form of forms) clean = clean.replaceAll(form, '[secret]')
  }
  return clean
}

/** Goes through the log, because the framework quotes requests verbatim, over several lines. */
export function hearConsole(log: Log, spoken: Pick<Console, 'error' | 'warn'> = console): void {
  const toFields = (said: unknown[]) => ({ detail: stripVTControlCharacters(format(...said)) })
  spoken.error = (...said) => log.error('Next.js reported an error', toFields(said))
  spoken.warn = (...said) => log.warn('Next.js reported a warning', toFields(said))
}

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
