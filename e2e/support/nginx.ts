import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#testing/loopback.ts'
import { becomesHealthy, stopChild } from './app.ts'
import { type HttpsProxy, readDocumented, replaceAll } from './documented.ts'

const PROGRAMS = ['nginx', '/usr/sbin/nginx']
const READY_WITHIN_MS = 10_000

export const findNginx = (): string | null =>
  PROGRAMS.find((name) => spawnSync(name, ['-v']).status === 0) ?? null

const makeFolder = () => mkdtempSync(join(tmpdir(), 'bellwether-nginx-'))

type NginxOptions = {
  program: string
  target: string
  fixed?: Uint8Array
}

export async function startNginx({ program, target, fixed }: NginxOptions) {
  const folder = makeFolder()
  const port = await freePort()
  const lines = replaceAll(readDocumented('docs/operations.md', 'nginx'), {
    '/var/cache/nginx/bellwether': join(folder, 'cache'),
    'listen 80;': `listen 127.0.0.1:${port};`,
    'http://127.0.0.1:3000': target,
  }).split('\n')
  if (fixed) {
    writeFileSync(join(folder, 'fixed.html.gz'), fixed)
    const at = lines.findIndex((line) => line.includes('location / {'))
    lines.splice(at, 0, `location = /fixed.html { root ${folder}; gzip_static always; }`)
  }
  return await run({ program, folder, lines: lines.join('\n'), url: `http://127.0.0.1:${port}` })
}

export async function startNodesNginx(program: string, ports: readonly [number, number, number]) {
  const folder = makeFolder()
  const port = await freePort()
  const lines = replaceAll(readDocumented('docs/nodes.md', 'nginx'), {
    'listen 80;': `listen 127.0.0.1:${port};`,
    'server 192.0.2.11:3000': `server 127.0.0.1:${ports[0]}`,
    'server 192.0.2.12:3000': `server 127.0.0.1:${ports[1]}`,
    'server 192.0.2.13:3000': `server 127.0.0.1:${ports[2]}`,
  })
  return await run({ program, folder, lines, url: `http://127.0.0.1:${port}`, level: 'crit' })
}

const OPENSSL = 'openssl'

export const hasOpenssl = (): boolean => spawnSync(OPENSSL, ['version']).status === 0

const BESIDE = "location / { return 200 'beside'; }"

function readDocumentedLocation(basePath: string): string {
  const line = /^ *location .*\^\/ratings.*\{$/m.exec(
    readFileSync('docs/operations.md', 'utf8'),
  )?.[0]
  return replaceAll(line ?? '', { '/ratings': basePath })
}

export async function startHttpsNginx({ program, target, port, basePath = '' }: HttpsProxy) {
  const folder = makeFolder()
  const [certificate, key] = [join(folder, 'own.pem'), join(folder, 'own.key')]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1']
  const made = spawnSync(OPENSSL, [
    ...['req', ...kind, ...subject],
    ...['-out', certificate, '-keyout', key],
  ])
  if (made.status !== 0) throw new Error(`openssl made no certificate: ${made.stderr}`)
  const lines = replaceAll(readDocumented('docs/access.md', 'nginx'), {
    'listen 443 ssl;': `listen 127.0.0.1:${port} ssl;`,
    '/etc/ssl/ratings.pem': certificate,
    '/etc/ssl/ratings.key': key,
    'http://127.0.0.1:3000': target,
    ...(basePath !== '' && { 'location / {': `${BESIDE}\n${readDocumentedLocation(basePath)}` }),
  })
  return await run({ program, folder, lines, url: `https://127.0.0.1:${port}${basePath}` })
}

type Running = {
  program: string
  folder: string
  lines: string
  url: string
  level?: 'warn' | 'crit'
}

async function run({ program, folder, lines, url, level = 'warn' }: Running) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join('\n')
  const file = join(folder, 'nginx.conf')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  writeFileSync(
    file,
    `${user} daemon off; pid ${join(folder, 'pid')}; error_log stderr ${level};
     events {} http { access_log off; ${temporary} ${lines} }`,
  )
  const child = spawn(program, ['-c', file, '-p', folder, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const stop = async () => {
    await stopChild(child)
    rmSync(folder, { recursive: true, force: true })
  }
  if (await becomesHealthy({ url }, child, READY_WITHIN_MS)) return { url, stop }
  await stop()
  throw new Error('nginx did not pass the dashboard on.')
}
