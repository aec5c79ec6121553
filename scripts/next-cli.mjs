import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ROOT } from './run.mjs'

export const NEXT_BIN = join(ROOT, 'node_modules/next/dist/bin/next')

/**
 * Becomes `next <args>` in this very process: one process to signal, none to leave behind. When it serves what was
 * built, SIGINT and SIGTERM are the application's own (`lib/server/stop-on-signals.ts`); in development Next answers
 * them with 130 or 143; being asked to stop is no failure, so that is 0.
 */
export function becomeNext(args) {
  process.env.NEXT_TELEMETRY_DISABLED = '1'
  if (args[0] === 'start') process.env.NEXT_MANUAL_SIG_HANDLE = '1'
  process.on('exit', (code) => {
    if (code === 130 || code === 143) process.exitCode = 0
  })
  process.chdir(ROOT)
  process.argv = [process.execPath, NEXT_BIN, ...args]
  createRequire(import.meta.url)(NEXT_BIN)
}
