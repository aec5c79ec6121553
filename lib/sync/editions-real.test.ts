import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as setTimer } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createService } from '#lib/service/service.ts'
import { createUpstream } from '#lib/upstream/create-upstream.ts'
import { openLedger } from '#lib/upstream/ledger.ts'
import { openEditions } from './editions.ts'
import { DAY, makeFolder, WEDNESDAY } from './scripted-service.test-support.ts'

const BREAK_AFTER = 100_000

/** Our own service behind its real client; `breaks` lets the next dump end early, in the middle of its body. */
async function openWorld() {
  const clock = { at: WEDNESDAY }
  const now = () => clock.at
  const service = await createService({
    dir: await makeFolder(),
    source: { kind: 'demo', ratings: 3000, seed: 7, tailSeconds: 0 },
    now,
    setTimer: () => () => undefined,
    sleep: setTimer,
  })
  onTestFinished(() => service.close())
  const ledger = await openLedger({ file: join(await makeFolder(), 'requests'), now })
  onTestFinished(() => ledger.close())
  const way = { breaks: false }
  const seen: { range: string | null; status: number }[] = []
  const upstream = createUpstream({
    kind: 'embedded',
    baseUrl: new URL('http://service/service'),
    key: await service.keys.ensure('tests', { perMinute: 1_000_000 }),
    keyIn: 'query',
    async transport(request) {
      const response = await service.handle(request)
      seen.push({ range: request.headers.get('range'), status: response.status })
      return way.breaks ? cut(response) : response
    },
    ledger,
    limits: { perMinute: 60, perMonth: null },
    now,
    nowMs: () => performance.now(),
    sleep: async () => undefined,
    random: () => 0.5,
  })
  const editions = await openEditions({ dir: await makeFolder(), upstream, now })
  onTestFinished(() => editions.close())
  return { clock, way, seen, editions, upstream }
}

function cut({ body, status, headers }: Response): Response {
  let left = BREAK_AFTER
  const short = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left))
      left -= chunk.length
      if (left <= 0) controller.error(new Error('cut'))
    },
  })
  return new Response(body?.pipeThrough(short) ?? null, { status, headers })
}

test('our own dump, cut on its way, is gone on with and is what its checksum says; a week later it costs no body', async () => {
  const { clock, way, seen, editions, upstream } = await openWorld()
  way.breaks = true
  await expect(editions.ensure('posts')).rejects.toMatchObject({ fault: 'upstream_unavailable' })
  way.breaks = false
  seen.length = 0
  clock.at += 3600
  const kept = await editions.ensure('posts')
  expect(seen).toEqual([{ range: expect.stringMatching(/^bytes=\d{4,}-$/), status: 206 }])
  const { body } = await upstream.fetchDump('posts')
  const whole = createHash('sha256')
  for await (const chunk of body) whole.update(chunk)
  expect(kept.sha256).toBe(whole.digest('hex'))
  const file = createHash('sha256').update(await readFile(kept.path))
  expect(file.digest('hex')).toBe(kept.sha256)

  expect(await editions.ensure('posts', { again: true })).toBe(kept)
  expect(seen.at(-1)).toEqual({ range: null, status: 304 })
  clock.at += 7 * DAY
  expect((await editions.ensure('posts')).edition).toBe('2026-11-22')
})
