import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bundleProgram } from '#testing/bundle-program.ts'

function makeFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-keys-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

test('create prints the key alone as its last line; list and errors never show one', async () => {
  const env = { ...process.env, DATA_DIR: makeFolder() }
  const launch = (...args: string[]) => spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  const program = await bundleProgram('scripts/keys.ts')
  onTestFinished(program.remove)
  const run = (...args: string[]) => launch(program.file, ...args)
  const command = ['scripts/tool.mjs', 'scripts/keys.ts']
  const created = launch(...command, 'create', 'ops', '--per-minute', '5')
  const key = created.stdout.trimEnd().split('\n').at(-1)
  expect(key).toMatch(/^bw_[\w-]{32}$/)
  expect(created.status).toBe(0)
  const again = run('create', 'ops')
  expect([again.status, again.stdout]).toEqual([1, ''])
  expect(again.stderr).toContain('already')
  const listed = run('list')
  expect(listed.stdout).toMatch(/^ops · made .* UTC · active · 5 a minute\n$/)
  expect(run('revoke', 'ops').status).toBe(0)
  expect(run('list').stdout).toContain('revoked')
  expect(run('nonsense').status).toBe(2)
})
