import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { parseEnv } from '#lib/server/environment/env.ts'
import { createLog } from '#lib/server/environment/log.ts'
import { type EmbeddedService, openEmbeddedService } from './embedded-service.ts'

let dataDir: string
let service: EmbeddedService
let wake = () => {}
const lines: string[] = []

const open = async (source: Record<string, string>) => {
  const parsed = parseEnv({ DATA_DIR: dataDir, DEMO_RATINGS: '10', ...source })
  if (!parsed.ok) throw new Error(parsed.problems.join())
  service = await openEmbeddedService(parsed.env, {
    now: () => 1_790_000_000,
    log: createLog({
      write: (line) => lines.push(JSON.parse(line).message),
      now: () => new Date(0),
    }),
    rest: () => new Promise<void>((resolve) => (wake = resolve)),
  })
}
const ask = () =>
  service.handle(new Request(`http://x/service/api/v1/posts?api_key=${service.key}`))

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'bellwether-embedded-'))
  lines.length = 0
})
afterEach(async () => {
  await service.close()
  rmSync(dataDir, { recursive: true, force: true })
})

it('a folder that cannot be opened is a 503 with the reason, and is opened once it can be', async () => {
  const damaged = join(dataDir, 'service/source.json')
  mkdirSync(join(dataDir, 'service'))
  writeFileSync(damaged, '{')
  await open({})
  const refused = await ask()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10'])
  expect(await refused.json()).toMatchObject({ success: false, error: { type: 'not_ready' } })
  expect(lines).toEqual(['the embedded service cannot be opened'])
  rmSync(damaged)
  wake()
  await vi.waitFor(async () => expect((await ask()).status).toBe(200), { timeout: 20_000 })
})

it('a CSV that is none is said to be what the operator has to change', async () => {
  const posts = join(dataDir, 'posts.csv')
  writeFileSync(posts, 'id,name\n1,x\n')
  await open({ SERVICE_POSTS_CSV: posts })
  expect((await service.misconfigured).message).toMatch(/the posts CSV lacks user_id/)
})
