import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { START } from '#testing/archive/arbitrary.ts'
import { bundleProgram, type Program } from '#testing/bundle-program.ts'
import { openArchive } from './open-archive.ts'

let folder = ''
let holder: Program
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'))
  holder = await bundleProgram('testing/archive/hold-archive.ts')
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await holder.remove()
})

const open = async (name: string) =>
  await openArchive({ path: join(folder, name), now: () => START })

async function spawnHolder(name: string): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, [holder.file, join(folder, name)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said] = await once(child.stdout, 'data')
  return { child, line: String(said).trim() }
}

test('of four processes that start at once, one gets the archive and the others report which', async () => {
  const spawned = await Promise.all(Array.from({ length: 4 }, () => spawnHolder('four.db')))
  const holders = spawned.filter(({ line }) => line === 'held')
  expect(holders).toHaveLength(1)
  const pid = holders[0]?.child.pid
  const refused = spawned.filter(({ line }) => line !== 'held').map(({ line }) => line)
  expect(new Set(refused)).toEqual(new Set([`The archive file is in use by process ${pid}.`]))
}, 120_000)

test('a refusal does not wait for the first to leave, and one that is killed leaves the archive to the next', async () => {
  const { child } = await spawnHolder('killed.db')
  await expect(open('killed.db')).rejects.toMatchObject({
    fault: 'not_ready',
    message: `The archive file is in use by process ${child.pid}.`,
  })
  expect([child.exitCode, child.signalCode]).toEqual([null, null])
  child.kill('SIGKILL')
  await once(child, 'exit')
  await (await open('killed.db')).close()
})

test('a lock that was never finished, or is damaged, is made anew', async () => {
  for (const content of ['', 'x'.repeat(100), 'no database at all '.repeat(1000)]) {
    await writeFile(join(folder, 'broken.db.lock'), content)
    await (await open('broken.db')).close()
  }
})
