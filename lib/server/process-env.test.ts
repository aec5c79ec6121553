import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { processEnv } from './process-env.ts'

it('a file that the environment names may go while the process runs: it goes on as it began', () => {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-env-'))
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(dir, { recursive: true, force: true })
  })
  const csv = join(dir, 'posts.csv')
  writeFileSync(csv, 'id\n')
  vi.stubEnv('SERVICE_POSTS_CSV', csv)
  expect(processEnv()).toMatchObject({ ok: true, env: { postsCsv: csv } })
  rmSync(csv)
  expect(processEnv()).toMatchObject({ ok: true, env: { postsCsv: csv } })
})
