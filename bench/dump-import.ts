import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { typescript } from '../scripts/environment.mjs'
import { median } from './measure.ts'
import type { Figure } from './table.ts'
import { timeReadCsv } from './time-read-csv.ts'

const ROUNDS = 3
/** The share of read_csv's own rate that is aimed at. */
const AIM = 1 / 3

/**
 * A dump of so many records into an empty archive, in a process of its own that does nothing else, against what the engine
 * needs to read the same file into memory and into a table of a file: in turn, so that all see the same machine.
 */
export async function measureDumpImport(path: string, rows: number): Promise<Figure[]> {
  const rounds: { into: number; read: number; write: number; peakMb: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const read = await timeReadCsv(path)
    const write = await timeReadCsv(path, join(tmpdir(), `bellwether-read-${process.pid}.duckdb`))
    rounds.push({ read, write, ...(await importApart(path, rows)) })
  }
  const of = (name: 'into' | 'read' | 'write') => median(rounds.map((round) => round[name])) / 1000
  const [into, read, write] = [of('into'), of('read'), of('write')]
  const peak = Math.max(...rounds.map(({ peakMb }) => peakMb))
  const share = (floor: number) => `1/${(into / floor).toFixed(1)} of its rate`
  const what = `import of a dump of ${rows.toLocaleString('en-US')} rows`
  const got = `${into.toFixed(2)} s`
  const aim = '≥ 1/3 of its rate'
  return [
    {
      ...{ what, got: `${got}, ${share(read)}`, aim, met: read / into >= AIM },
      floor: `${read.toFixed(2)} s: DuckDB's read_csv into memory`,
    },
    {
      ...{ what: 'the same', got: `${got}, ${share(write)}`, aim, met: write / into >= AIM },
      floor: `${write.toFixed(2)} s: DuckDB's read_csv into a table of a file`,
    },
    {
      what: 'highest resident memory of a process that imports it',
      got: `${peak.toFixed(0)} MB`,
      aim: '< 600 MB',
      met: peak < 600,
      floor: '–',
    },
  ]
}

async function importApart(path: string, rows: number): Promise<{ into: number; peakMb: number }> {
  const file = new URL('import-once.ts', import.meta.url).pathname
  const child = spawn(process.execPath, typescript(file, path, String(rows)), {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let last = ''
  for await (const line of createInterface({ input: child.stdout })) last = line
  return JSON.parse(last) as { into: number; peakMb: number }
}
