import { spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DuckDBInstance } from '@duckdb/node-api'
import { type RunningApp, startApp } from '../e2e/support/app.ts'
import { typescript } from '../scripts/run.mjs'
import { type Figure, median, residentMb, timeMs, waitFor } from './measure.ts'

type Bootstrap = {
  app: RunningApp
  figures: Figure[]
  dump: { path: string; rows: number }
}

export async function measureBootstrap(
  ratings: number,
  { aimSeconds, aimMb = 600 }: { aimSeconds: number; aimMb?: number },
): Promise<Bootstrap> {
  const app = await startApp({
    env: { DEMO_RATINGS: String(ratings), DEMO_TAIL_SECONDS: '0' },
  })
  const ms = await timeMs(() =>
    waitFor(async () => (await countRatings(app.url)) >= ratings, 900_000),
  )
  await waitFor(async () => (await readStatus(app.url)).sync.state === 'idle', 900_000)
  const { now, peak } = residentMb(app.pid)
  const dump = await findDump(app)
  const floorMs = await timeReadCsv(dump.path)
  const figures: Figure[] = [
    {
      what: `bootstrap of ${ratings.toLocaleString('en-US')} ratings, community made and table filled`,
      got: `${(ms / 1000).toFixed(1)} s`,
      aim: `≤ ${aimSeconds} s`,
      met: ms <= aimSeconds * 1000,
      floor: `${(floorMs / 1000).toFixed(2)} s: DuckDB's read_csv of the same dump`,
    },
    {
      what: `resident memory after ${ratings.toLocaleString('en-US')} ratings (highest)`,
      got: `${now.toFixed(0)} MB (${peak.toFixed(0)} MB)`,
      aim: `< ${aimMb} MB`,
      met: now < aimMb,
      floor: '–',
    },
  ]
  return { app, figures, dump }
}

type StatusData = { archive: { ratings: number }; sync: { state: string } }

async function readStatus(url: string): Promise<StatusData> {
  const response = await fetch(`${url}/api/status`)
  const { data } = (await response.json()) as { data: StatusData }
  return data
}

async function countRatings(url: string): Promise<number> {
  const response = await fetch(`${url}/api/ratings`)
  const { page } = (await response.json()) as { page: { total: number } }
  return page.total
}

async function findDump({ url, dataDir }: RunningApp): Promise<Bootstrap['dump']> {
  const response = await fetch(`${url}/api/dumps`)
  const { data } = (await response.json()) as {
    data: { posts: { file_name: string; edition: { rows: number } } }
  }
  const {
    file_name,
    edition: { rows },
  } = data.posts
  return { path: join(dataDir, 'service', 'editions', file_name), rows }
}

const ROUNDS = 3

const AIM = 1 / 3

/** Alternates with plain read_csv in its own process, so that both see the same machine. */
export async function measureDumpImport(
  { path, rows }: Bootstrap['dump'],
  { times = ROUNDS, aimMb = 600 } = {},
): Promise<Figure[]> {
  const rounds: (Imported & { read: number; write: number })[] = []
  for (let round = 0; round < times; round += 1) {
    const read = await timeReadCsv(path)
    const write = await timeReadCsv(path, join(tmpdir(), `bellwether-read-${process.pid}.duckdb`))
    rounds.push({ read, write, ...(await importApart(path, rows)) })
  }
  const of = (name: 'into' | 'again' | 'read' | 'write') =>
    median(rounds.map((round) => round[name])) / 1000
  const [into, read, write] = [of('into'), of('read'), of('write')]
  const peak = Math.max(...rounds.map(({ peakMb }) => peakMb))
  const share = (floor: number) => `1/${(into / floor).toFixed(1)} of its rate`
  const what = `import of a dump of ${rows.toLocaleString('en-US')} rows`
  const got = `${into.toFixed(2)} s`
  const aim = '≥ 1/3 of its rate'
  return [
    {
      what,
      got: `${got}, ${share(read)}`,
      aim,
      met: read / into >= AIM,
      floor: `${read.toFixed(2)} s: DuckDB's read_csv into memory`,
    },
    {
      what: 'the same',
      got: `${got}, ${share(write)}`,
      aim,
      met: write / into >= AIM,
      floor: `${write.toFixed(2)} s: DuckDB's read_csv into a table of a file`,
    },
    {
      what: 'highest resident memory of a process that imports it',
      got: `${peak.toFixed(0)} MB`,
      aim: `< ${aimMb} MB`,
      met: peak < aimMb,
      floor: '–',
    },
    {
      what: 'the edition of the week after, a hundredth of it new or edited, brought into that archive',
      got: `${of('again').toFixed(2)} s`,
      aim: '–',
      met: null,
      floor: '–',
    },
  ]
}

type Imported = { into: number; again: number; peakMb: number }

async function importApart(path: string, rows: number): Promise<Imported> {
  const file = new URL('import-once.ts', import.meta.url).pathname
  const child = spawn(process.execPath, typescript(file, path, String(rows)), {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let last = ''
  for await (const line of createInterface({ input: child.stdout })) last = line
  return JSON.parse(last) as Imported
}

/** Milliseconds. */
async function timeReadCsv(path: string, target = ':memory:'): Promise<number> {
  const removed = async () => {
    if (target === ':memory:') return
    for (const end of ['', '.wal']) await rm(`${target}${end}`, { force: true })
  }
  await removed()
  const instance = await DuckDBInstance.create(target, { threads: '2' })
  const connection = await instance.connect()
  try {
    return await timeMs(() =>
      connection.run('create table dump as select * from read_csv($1)', [path]),
    )
  } finally {
    connection.closeSync()
    instance.closeSync()
    await removed()
  }
}
