import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const BEAT_MS = 1000

/**
 * Runs `work` while no other process runs under the same lock file, and waits for one that does. The holder touches
 * the file every second: one untouched for `staleMs` was left by a process that died, and is taken over. (Process ids
 * would not do: they are reused, and mean nothing across containers that share the folder.)
 */
export async function withLock(
  file,
  work,
  { staleMs = 10_000, pollMs = 200, onWait = () => {} } = {},
) {
  mkdirSync(dirname(file), { recursive: true })
  for (let waits = 0; !tryTake(file); waits += 1) {
    if (waits === 0) onWait()
    if (isStale(file, staleMs)) rmSync(file, { force: true })
    else await sleep(pollMs)
  }
  const drop = () => rmSync(file, { force: true })
  const beat = setInterval(() => touch(file), BEAT_MS)
  beat.unref()
  process.on('exit', drop)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    process.off('exit', drop)
    drop()
  }
}

function tryTake(file) {
  try {
    writeFileSync(file, `${process.pid}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function isStale(file, staleMs) {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat !== undefined && Date.now() - stat.mtimeMs > staleMs
}

function touch(file) {
  try {
    utimesSync(file, new Date(), new Date())
  } catch {
    // Somebody removed the folder; the work itself will notice if it matters.
  }
}
