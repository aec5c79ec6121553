import { chown, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import postgres from 'postgres'
import { type PostgresServer, SERVER_USER, startPostgres } from './postgres.ts'

export type Standby = PostgresServer & {
  untilEqual(): Promise<void>
  promote(): Promise<void>
}

const OF_THE_PROCESS = new Set(['postmaster.pid', 'postmaster.opts'])

/** `primary` must be idle. Replicates through port `through`. */
export async function startStandby(
  primary: PostgresServer,
  { through = primary.port, port }: { through?: number; port?: number } = {},
): Promise<Standby> {
  const follows = `host=127.0.0.1 port=${through} user=postgres`
  const standby = await startPostgres({
    fill: async (data) => await copyBase(primary, data),
    settings: [`primary_conninfo=${follows}`, 'wal_retrieve_retry_interval=200ms'],
    ...(port ? { port } : {}),
  })
  return {
    ...standby,
    async untilEqual() {
      const [wanted] = await ask(primary, 'select pg_current_wal_lsn()::text as lsn')
      for (;;) {
        const [found] = await ask(
          standby,
          `select pg_last_wal_replay_lsn() >= '${wanted?.lsn}' as is`,
        )
        if (found?.is === true) return
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    async promote() {
      await ask(standby, 'select pg_promote()')
    },
  }
}

type Row = Record<string, unknown>

async function ask(server: PostgresServer, ...statements: string[]): Promise<Row[]> {
  const sql = connectTo(server)
  try {
    let rows: Row[] = []
    for (const statement of statements) rows = [...(await sql.unsafe<Row[]>(statement))]
    return rows
  } finally {
    await sql.end()
  }
}

const connectTo = ({ port }: PostgresServer) =>
  postgres(`postgres://postgres@127.0.0.1:${port}/postgres`, { max: 1, onnotice: () => {} })

/** The package lacks `pg_basebackup`. */
async function copyBase(primary: PostgresServer, data: string): Promise<void> {
  const sql = connectTo(primary)
  try {
    await sql`select pg_backup_start('standby', true)`
    await copyFolder(primary.dir, data)
    const [stopped] = await sql<{ labelfile: string }[]>`
      select labelfile from pg_backup_stop(false)`
    await put(join(data, 'backup_label'), stopped?.labelfile ?? '')
    await put(join(data, 'standby.signal'), '')
  } finally {
    await sql.end()
  }
}

/** Temporary files may vanish while copying. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  await own(to)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (OF_THE_PROCESS.has(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyFolder(source, target)
    else if (await copyFile(source, target).then(isTrue, isGone)) await own(target)
  }
}

const isTrue = () => true

function isGone(error: unknown): false {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
  throw error
}

async function put(path: string, text: string): Promise<void> {
  await writeFile(path, text)
  await own(path)
}

async function own(path: string): Promise<void> {
  if (SERVER_USER !== null) await chown(path, SERVER_USER, SERVER_USER)
}
