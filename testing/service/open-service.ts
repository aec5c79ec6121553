import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { createService, type Service, type ServiceDeps } from '#lib/service/service.ts'

/** Saturday 2026-11-21 12:00 UTC. */
export const NOON = 1_795_262_400

export async function makeFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'bellwether-service-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return dir
}

export type TestClock = {
  at: number
  timers: { run: () => void; delayMs: number }[]
}

export type TestService = Service & {
  clock: TestClock
  lines: string[]
  dir: string
  get(path: string, init?: RequestInit): Promise<Response>
}

type Options = Partial<Pick<ServiceDeps, 'dir' | 'source' | 'clientOf'>> & { at?: number }

export async function openService(options: Options = {}): Promise<TestService> {
  const dir = options.dir ?? (await makeFolder())
  const clock: TestClock = { at: options.at ?? NOON, timers: [] }
  const lines: string[] = []
  const service = await createService({
    dir,
    source: options.source ?? { kind: 'demo', ratings: 1000, seed: 1, tailSeconds: 0 },
    now: () => clock.at,
    setTimer(run, delayMs) {
      const timer = { run, delayMs }
      clock.timers.push(timer)
      return () => {
        clock.timers = clock.timers.filter((other) => other !== timer)
      }
    },
    sleep: setTimeout,
    log: (line) => lines.push(line),
    ...(options.clientOf ? { clientOf: options.clientOf } : {}),
  })
  let open = true
  const close = async () => {
    if (open) await service.close()
    open = false
  }
  onTestFinished(close)
  const key = await service.keys.ensure('tests', { perMinute: 1_000_000 })
  return {
    ...service,
    close,
    clock,
    lines,
    dir,
    get(path, init = {}) {
      const headers = new Headers(init.headers)
      headers.set('authorization', `Bearer ${key}`)
      return service.handle(new Request(`http://service${path}`, { ...init, headers }))
    },
  }
}
