import 'server-only'

/** How much a log tells; each tells what those behind it tell too. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]
