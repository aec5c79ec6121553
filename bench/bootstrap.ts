import { join } from 'node:path'
import { type RunningApp, startApp } from '../e2e/support/app.ts'
import { residentMb, timeMs, waitFor } from './measure.ts'
import type { Figure } from './table.ts'
import { timeReadCsv } from './time-read-csv.ts'

type Bootstrap = {
  app: RunningApp
  figures: Figure[]
  /** The posts dump that it was filled from. */
  dump: { path: string; rows: number }
}

/** Starts on an empty folder and waits until the table is filled; the application goes on running. */
export async function measureBootstrap(ratings: number, aimSeconds: number): Promise<Bootstrap> {
  const app = await startApp({
    env: { DEMO_RATINGS: String(ratings), DEMO_TAIL_SECONDS: '0' },
  })
  const ms = await timeMs(() =>
    waitFor(async () => (await countRatings(app.url)) >= ratings, 300_000),
  )
  await waitFor(async () => (await readStatus(app.url)).sync.state === 'idle', 300_000)
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
      aim: '< 600 MB',
      met: now < 600,
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
