import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a program to its end on our terminal and gives its exit code. A signal that reaches us is passed on, and when
 * the program has ended for it, so do we: nothing is left running behind.
 */
export function run(command, args, { cwd = ROOT, env = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: 'inherit' })
    let received = null
    const forward = (signal) => {
      received = signal
      child.kill(signal)
    }
    for (const signal of FORWARDED) process.on(signal, forward)
    const release = () => {
      for (const signal of FORWARDED) process.off(signal, forward)
    }
    child.on('error', (error) => {
      release()
      reject(error)
    })
    child.on('exit', (code, signal) => {
      release()
      const killedBy = received ?? signal
      if (received) process.exit(128 + constants.signals[received])
      resolve(code ?? 128 + constants.signals[killedBy])
    })
  })
}

/** The same for a script, in the Node that runs us. */
export const runNode = (args, options) => run(process.execPath, args, options)

/** Ends the process with a sentence for people, without a stack. */
export function fail(message, exitCode = 1) {
  console.error(`\n${message}`)
  process.exit(exitCode)
}
