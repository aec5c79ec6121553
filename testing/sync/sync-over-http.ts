import { join } from 'node:path'
import { openEditions } from '#lib/sync/editions/edition-store.ts'
import { createForgetfulDiscovery } from '#lib/sync/reading/discovery.ts'
import { createSync } from '#lib/sync/running/create-sync.ts'
import { toSyncArchive } from '#lib/sync/sync-archive.ts'
import { createUpstream } from '#lib/upstream/client.ts'
import { createHttpTransport } from '#lib/upstream/http-transport.ts'
import { openLedger } from '#lib/upstream/ledger.ts'
import { startHostileServer } from '#testing/hostile-service/hostile-server.ts'
import type { ServiceScript } from '#testing/hostile-service/service-script.ts'
import { HOUR, loadIds, makeFolder, openTestArchive, WEDNESDAY } from './scripted-service.ts'
import { createVirtualTime } from './sync-in-virtual-time.ts'

export async function openSyncOverHttp(
  script: Partial<ServiceScript>,
  { perMonth }: { perMonth: number | null },
) {
  const time = createVirtualTime(WEDNESDAY)
  const { now, sleep } = time
  const service = await startHostileServer({ now }, script)
  const transport = createHttpTransport()
  const ledger = await openLedger({ file: join(await makeFolder(), 'requests'), now })
  const upstream = createUpstream({
    kind: 'remote',
    baseUrl: new URL(service.url),
    key: 'a key of tests',
    keyIn: 'query',
    transport,
    ledger,
    limits: { perMinute: 60, perMonth },
    now,
    nowMs: () => time.at * 1000,
    sleep: async () => undefined,
    random: () => 0.5,
  })
  const editions = await openEditions({ dir: await makeFolder(), upstream, now })
  const { archive, close } = await openTestArchive(now)
  const discovery = createForgetfulDiscovery()
  const followSeconds = perMonth === null ? 4 * HOUR : undefined
  const sync = createSync({
    archive: toSyncArchive(archive),
    upstream,
    editions,
    now,
    sleep,
    discovery,
    followSeconds,
    expectsNew: false,
  })
  return {
    time,
    service,
    archive,
    editions,
    sync,
    discovery,
    ids: async () => await loadIds(archive, time.at),
    async start() {
      sync.start()
      await time.settled()
    },
    async end() {
      await sync.stop()
      await editions.close()
      await close()
      await ledger.close()
      await transport.close()
      await service.stop()
    },
  }
}
