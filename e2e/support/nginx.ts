import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { becomesHealthy, findFreePort, stopChild } from './app.ts'

const PROGRAMS = ['nginx', '/usr/sbin/nginx']
const READY_WITHIN_MS = 10_000

/** Where nginx is on this machine; null where there is none. */
export const findNginx = (): string | null =>
  PROGRAMS.find((name) => spawnSync(name, ['-v']).status === 0) ?? null

/** The lines that the documentation gives an operator. */
function readDocumented(): string {
  const text = readFileSync('docs/operations.md', 'utf8')
  const block = /```nginx\n([\s\S]*?)```/.exec(text)?.[1]
  if (block === undefined) throw new Error('docs/operations.md has no lines for nginx.')
  return block
}

type NginxOptions = {
  program: string
  target: string
  hasCache: boolean
  /** Compressed bytes that stand at `/fixed.html` as a file of its own. */
  fixed?: Uint8Array
}

/** nginx on loopback before `target`, set up as the documentation says. */
export async function startNginx({ program, target, hasCache, fixed }: NginxOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-nginx-'))
  const port = await findFreePort()
  const lines = readDocumented()
    .replace('/var/cache/nginx/bellwether', join(folder, 'cache'))
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('http://127.0.0.1:3000', target)
    .split('\n')
    .filter((line) => hasCache || !line.trim().startsWith('proxy_cache'))
  if (fixed) {
    writeFileSync(join(folder, 'fixed.html.gz'), fixed)
    const at = lines.findIndex((line) => line.includes('location / {'))
    lines.splice(at, 0, `location = /fixed.html { root ${folder}; gzip_static always; }`)
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join('\n')
  const file = join(folder, 'nginx.conf')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  writeFileSync(
    file,
    `${user} daemon off; pid ${join(folder, 'pid')}; error_log stderr warn;
     events {} http { access_log off; ${temporary} ${lines.join('\n')} }`,
  )
  const child = spawn(program, ['-c', file, '-p', folder, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  const stop = async () => {
    await stopChild(child)
    rmSync(folder, { recursive: true, force: true })
  }
  if (await becomesHealthy({ url }, child, READY_WITHIN_MS)) return { url, stop }
  await stop()
  throw new Error('nginx did not pass the dashboard on.')
}
