import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { typescript } from '../scripts/run.mjs'
import type { Figure } from './measure.ts'

const RATINGS = 1_000_000
const RULES = 1000
const AIM_MS = 1000

type Judged = { results: { size: number; ms: number; stallMs: number }[] }

export async function measureAlerts(): Promise<Figure[]> {
  const { results } = await judgeApart()
  return results.map(({ size, ms, stallMs }) => ({
    what: `${RULES.toLocaleString('en-US')} rules judged after a commit of ${size.toLocaleString('en-US')} to ${RATINGS.toLocaleString('en-US')} ratings`,
    got: `${ms.toFixed(0)} ms, the thread that answers stood still for ${stallMs.toFixed(0)} ms at the most`,
    aim: `< ${AIM_MS} ms`,
    met: ms < AIM_MS,
    floor: '–',
  }))
}

async function judgeApart(): Promise<Judged> {
  const file = new URL('alerts-once.ts', import.meta.url).pathname
  const child = spawn(process.execPath, typescript(file, String(RATINGS), String(RULES)), {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let last = ''
  for await (const line of createInterface({ input: child.stdout })) last = line
  return JSON.parse(last) as Judged
}
