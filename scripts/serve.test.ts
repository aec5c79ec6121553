import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SERVE = fileURLToPath(new URL('./serve.mjs', import.meta.url))

/** Logs each uncaught error, as Next.js does, and writes two lines once its log has no reader. */
const SCRIPT = `
  const { ignoreClosedOutput } = await import(${JSON.stringify(SERVE)})
  ignoreClosedOutput()
  let errors = 0
  process.on('uncaughtException', () => {
    errors += 1
    if (errors < 100) console.error('an error')
  })
  process.once('message', () => {
    console.error('one')
    setTimeout(() => {
      console.error('two')
      setImmediate(() => process.send(errors))
    })
  })
  process.send('ready')
`

test('raises no error when nobody reads the log any more', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  try {
    await once(child, 'message')
    child.stderr?.destroy()
    child.send('closed')
    const [errors] = await once(child, 'message')
    expect(errors).toBe(0)
  } finally {
    child.kill()
  }
})
