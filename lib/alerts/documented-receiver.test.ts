import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createDeliverer } from './deliver.ts'

const text = readFileSync('docs/alerts.md', 'utf8')
const blocks = Array.from(text.matchAll(/```(\w+)\n(.*?)```/gs), ([, kind, block = '']) => ({
  kind,
  block,
}))
const example = (kind: string) => blocks.find((one) => one.kind === kind)?.block ?? ''
const SECRET = /whsec_[^"\s]+/.exec(text)?.[0] ?? ''

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

test('the receiver of the documentation prints what is signed, once, and nothing else', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-receiver-'))
  const file = join(dir, 'receiver.mjs')
  writeFileSync(file, example('js'))
  const port = await findPort()
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, SECRET, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const deliverer = createDeliverer({ allowsPrivate: true })
  onTestFinished(async () => {
    child.kill()
    await deliverer.close()
    rmSync(dir, { recursive: true, force: true })
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    printed += piece
  })
  const url = new URL(`http://127.0.0.1:${port}/`)
  const send = async (id: string, secret: string, at = Math.floor(Date.now() / 1000)) =>
    await deliverer.deliver(
      { url, secret },
      { id, body: JSON.stringify({ text: `told ${id}` }) },
      { at },
    )
  let first = await send('a', SECRET)
  for (let tries = 0; !first.delivered && tries < 100; tries += 1) {
    await sleep(50)
    first = await send('a', SECRET)
  }
  expect(first).toMatchObject({ delivered: true, status: 204 })
  expect(await send('a', SECRET)).toMatchObject({ delivered: true })
  expect(await send('b', SECRET.replace('C2', 'C3'))).toMatchObject({ status: 401 })
  expect(await send('c', SECRET, 1_700_000_000)).toMatchObject({ status: 401 })
  expect(await send('d', SECRET)).toMatchObject({ delivered: true })
  await expect.poll(() => printed).toBe('told a\ntold d\n')
})
