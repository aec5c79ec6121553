import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseEnv } from '#lib/server/environment/env.ts'
import { createLog } from '#lib/server/environment/log.ts'
import { createEventMemory } from '#lib/sync/running/event-log.ts'
import { followKeyFile } from './key-rotation.ts'

function follow() {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-key-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const file = join(dir, 'key')
  writeFileSync(file, 'the-first-key')
  const parsed = parseEnv({
    RATINGS_BASE_URL: 'https://ratings.example',
    RATINGS_API_KEY_FILE: file,
  })
  if (!parsed.ok) throw new Error(parsed.problems.join())
  const [done, hidden, lines]: [string[], string[], string[]] = [[], [], []]
  const eventLog = createEventMemory(() => 0)
  let look = () => {}
  followKeyFile({
    env: parsed.env,
    log: createLog({ write: (line) => lines.push(line), now: () => new Date(0) }),
    hide: (secret) => void hidden.push(secret),
    upstream: { changeKey: async (key: string) => void done.push(key) },
    sync: { retry: () => void done.push('retry') },
    eventLog,
    every: (_seconds, run) => {
      look = run
      return () => {}
    },
  })
  const replace = (text: string) => {
    writeFileSync(`${file}.new`, text)
    renameSync(`${file}.new`, file)
    look()
  }
  return { replace, done, hidden, lines, messages: () => eventLog.latest(9).map((e) => e.message) }
}

test('a key that is put in the place of another is hidden before it is used, without a restart', async () => {
  const { replace, hidden, lines, messages } = follow()
  replace('the-second-key\n')
  expect(hidden).toEqual(['the-second-key'])
  await expect.poll(messages).toEqual(['The key was changed.'])
  expect(lines.join()).not.toMatch(/the-(?:first|second)-key/)
})

test('tries a new key at once, whatever the sync waits for', async () => {
  const { replace, done } = follow()
  replace('the-second-key')
  await expect.poll(() => done).toEqual(['the-second-key', 'retry'])
})

test('a file that no longer has a key leaves the key in use, and the log and the events say so', () => {
  const { replace, done, lines, messages } = follow()
  replace('no key')
  expect(done).toEqual([])
  expect(messages()).toEqual([expect.stringMatching(/^RATINGS_API_KEY_FILE .*stays in use/)])
  expect(lines.join()).toContain('"level":"warn"')
  expect(lines.join()).not.toContain('no key"')
})
