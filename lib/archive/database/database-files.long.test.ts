import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { START } from '#testing/archive/arbitrary.ts'
import { bundleProgram } from '#testing/bundle-program.ts'
import { createDatabaseFiles } from './database-files.ts'

it('a process that is killed while it writes the file leaves nothing to the next one', async () => {
  const program = await bundleProgram('testing/archive/write-database.ts')
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-database-'))
  onTestFinished(async () => {
    rmSync(folder, { recursive: true, force: true })
    await program.remove()
  })
  const path = join(folder, 'archive.duckdb')
  const child = spawn(process.execPath, [program.file, path], { stdio: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(readdirSync(`${path}.exports`)).not.toEqual([])

  const archive = await openArchive({ path, now: () => START })
  onTestFinished(() => archive.close())
  expect(existsSync(`${path}.exports`)).toBe(false)
  const names = { version: () => 1, of: () => null }
  const files = createDatabaseFiles({ reader: archive.reader, names, now: () => START })
  expect((await files.ensure({ tables: 'all' })).rows.ratings).toBe(50_000)
  expect(readdirSync(`${path}.exports`)).toHaveLength(1)
})
