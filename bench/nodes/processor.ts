import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'

/** Seconds of processor time until now. */
export type Spent = {
  nodes: number
  /** This process: it is the one that asks. */
  readers: number
  /** Everything on the machine, these among it. */
  all: number
}

/** Linux counts a process's time in hundredths of a second, whatever the machine. */
const TICKS = 100

/** What was spent since they began; Linux only, NaN of nodes elsewhere. */
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
    // The name of the program stands in brackets and may hold anything; time in it and in the kernel are 12th and 13th after.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS
  } catch {
    return Number.NaN
  }
}

/** Keeps all threads of a process to a core, counted from 0; whether that could be done. */
export const pin = (pid: number, core: number): boolean => setCores(pid, String(core))

/** Lets a process run where the system puts it. */
export const unpin = (pid: number): boolean => setCores(pid, `0-${availableParallelism() - 1}`)

const setCores = (pid: number, cores: string): boolean =>
  spawnSync('taskset', ['-a', '-c', '-p', cores, String(pid)]).status === 0
