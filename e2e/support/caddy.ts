import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { becomesHealthy, stopChild } from './app.ts'
import { type HttpsProxy, readDocumented, replaceAll } from './documented.ts'

const READY_WITHIN_MS = 20_000

export const findCaddy = (): string | null =>
  ['caddy', '/usr/bin/caddy'].find((name) => spawnSync(name, ['version']).status === 0) ?? null

export async function startCaddy({ program, target, port }: HttpsProxy) {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-caddy-'))
  const lines = replaceAll(readDocumented('docs/access.md', 'caddyfile'), {
    'ratings.example.org {': `https://127.0.0.1:${port} {\n  tls internal`,
    '127.0.0.1:3000': target,
  })
  const file = join(folder, 'Caddyfile')
  // No other ports, no change to the trust store.
  const options =
    'admin off\nskip_install_trust\nauto_https disable_redirects\nlog {\n level ERROR\n}'
  writeFileSync(file, `{\n${options}\nstorage file_system ${folder}\n}\n${lines}\n`)
  const child = spawn(program, ['run', '--config', file], {
    env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const stop = async () => {
    await stopChild(child)
    rmSync(folder, { recursive: true, force: true })
  }
  const url = `https://127.0.0.1:${port}`
  if (await becomesHealthy({ url }, child, READY_WITHIN_MS)) return { url, stop }
  await stop()
  throw new Error(`Caddy did not pass the dashboard on. It printed:\n${said}`)
}
