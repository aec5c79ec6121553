import 'server-only'
import { join } from 'node:path'
import { setTimeout as sleepMs } from 'node:timers/promises'
import type { Freeze } from '#lib/archive/archive.ts'
import { keepOpening } from '#lib/async/keep-opening.ts'
import { AppError } from '#lib/contract/faults.ts'
import { DATA_FILES } from '#lib/server/environment/data-folder.ts'
import type { Env } from '#lib/server/environment/env.ts'
import { type Log, toLogFields } from '#lib/server/environment/log.ts'
import { selectContext } from '#lib/server/gate/request-context.ts'
import type { DemoClose } from '#lib/service/demo-prices.ts'
import { createKeys } from '#lib/service/keys.ts'
import { createService, type Service, toFailureAnswer } from '#lib/service/service.ts'
import { type KeptImport, type Source, SourceProblem } from '#lib/service/source.ts'

export type EmbeddedService = {
  /** Never rejects; may never settle. */
  misconfigured: Promise<SourceProblem>
  key: string
  /** 503 while not open. Never rejects. */
  handle(request: Request): Promise<Response>
  /** Throws AppError `not_ready`. */
  freeze: Freeze
  /** Throws AppError `not_ready`. */
  closes(): AsyncGenerator<DemoClose[], void, undefined>
  imported(): KeptImport | null
  stop(): Promise<void>
  close(): Promise<void>
}

const RETRY_SECONDS = 10

type Deps = { now: () => number; log: Log; rest: () => Promise<unknown> }

export async function openEmbeddedService(
  env: Env,
  { now, log, rest }: Deps,
): Promise<EmbeddedService> {
  const dir = join(env.dataDir, DATA_FILES.service)
  const keys = createKeys({ dir, now, sleep: sleepMs })
  const key =
    env.apiKey ??
    (await keys.ensure('dashboard', { perMinute: env.perMinute, perMonth: env.perMonth }))
  let imported: KeptImport | null = null
  const open = async () => {
    const service = await createService({
      dir,
      source: toSource(env),
      now,
      setTimer: (run, delayMs) => {
        const timer = setTimeout(run, delayMs)
        return () => clearTimeout(timer)
      },
      sleep: sleepMs,
      log: (line) => log('service', { detail: line }),
      clientOf: () => selectContext()?.client ?? '',
    })
    service.start()
    imported = service.imported
    return service
  }
  let misconfigure = (_problem: SourceProblem) => {}
  const misconfigured = new Promise<SourceProblem>((resolve) => {
    misconfigure = resolve
  })
  const opening = keepOpening(open, {
    rest,
    onProblem(error) {
      if (error instanceof SourceProblem) misconfigure(error)
      else log.error('the embedded service cannot be opened', toLogFields(error))
    },
  })
  const selectOpen = async (): Promise<Service | null> => await opening.current().catch(() => null)
  return {
    misconfigured,
    key,
    async handle(request) {
      const service = await selectOpen()
      return service ? await service.handle(request) : toFailureAnswer(notOpen())
    },
    async freeze(work) {
      const service = await selectOpen()
      if (!service) throw notOpen()
      return await service.freeze(work)
    },
    async *closes() {
      const invented = (await selectOpen())?.invented
      if (!invented) throw notOpen()
      yield* invented.closes(now())
    },
    imported: () => imported,
    stop: async () => await (await selectOpen())?.stop(),
    async close() {
      opening.giveUp()
      await (await selectOpen())?.close()
    },
  }
}

const notOpen = () =>
  new AppError('not_ready', 'The embedded service cannot be opened. See the log.', {
    retryAfterSeconds: RETRY_SECONDS,
  })

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
