import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'

/** Processor time in seconds. */
export type Spent = {
  nodes: number
  readers: number
  all: number
}

/** USER_HZ is 100 on every Linux machine. */
const TICKS = 100

/** Linux only; `nodes` is NaN elsewhere. */
export function readSpent(pids: readonly number[]): Spent {
  const own = process.cpuUsage()
  const all = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys, 0)
  return {
    nodes: pids.reduce((sum, pid) => sum + secondsOf(pid), 0),
    readers: (own.user + own.system) / 1e6,
    all: all / 1000,
  }
}

function secondsOf(pid: number): number {
  try {
    // The program name may contain anything; utime and stime are fields 12 and 13 after it.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS
  } catch {
    return Number.NaN
  }
}

export const pin = (pid: number, core: number): boolean => setCores(pid, String(core))

export const unpin = (pid: number): boolean => setCores(pid, `0-${availableParallelism() - 1}`)

const setCores = (pid: number, cores: string): boolean =>
  spawnSync('taskset', ['-a', '-c', '-p', cores, String(pid)]).status === 0
