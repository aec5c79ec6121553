import 'server-only'
import { join } from 'node:path'
import { setTimeout as sleepMs } from 'node:timers/promises'
import { createKeys } from '#lib/service/keys.ts'
import { createService, type Service } from '#lib/service/service.ts'
import type { Source } from '#lib/service/source.ts'
import type { Env } from './env.ts'
import type { Log } from './log.ts'

/** The service inside this process. It is answered for from the start; requests wait until its folder is made. */
export type EmbeddedService = {
  /** Settles when the folder is open; rejects where it cannot be. */
  opened: Promise<void>
  /** The dashboard's own key. */
  key: string
  handle(request: Request): Promise<Response>
  close(): Promise<void>
}

type Deps = { now: () => number; log: Log }

export async function openEmbeddedService(env: Env, { now, log }: Deps): Promise<EmbeddedService> {
  const dir = join(env.dataDir, 'service')
  const keys = createKeys({ dir, now, sleep: sleepMs })
  const key =
    env.apiKey ??
    (await keys.ensure('dashboard', { perMinute: env.perMinute, perMonth: env.perMonth }))
  const opening = createService({
    dir,
    source: toSource(env),
    now,
    setTimer: (run, delayMs) => {
      const timer = setTimeout(run, delayMs)
      return () => clearTimeout(timer)
    },
    sleep: sleepMs,
    log: (line) => log('service', { detail: line }),
  })
  return {
    opened: opening.then((service) => service.start()),
    key,
    handle: async (request) => await (await opening).handle(request),
    close: async () => {
      const service: Service | null = await opening.catch(() => null)
      await service?.close()
    },
  }
}

function toSource(env: Env): Source {
  if (env.postsCsv) {
    return { kind: 'csv', posts: env.postsCsv, lookups: env.lookupsCsv ?? undefined }
  }
  return {
    kind: 'demo',
    ratings: env.demoRatings,
    seed: env.demoSeed,
    tailSeconds: env.demoTailSeconds,
  }
}
