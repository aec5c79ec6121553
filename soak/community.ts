import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseCsvRating } from '#lib/contract/incoming-rating.ts'
import type { Rating } from '#lib/contract/rating.ts'
import { createService } from '#lib/service/service.ts'
import { createCsvReader } from '#lib/sync/editions/dump-csv.ts'

/** The demo community of the embedded service, by its own dump: so many ratings up to an instant, oldest first. */
export async function loadCommunity(dir: string, ratings: number, at: number): Promise<Rating[]> {
  const service = await createService({
    dir: join(dir, 'service'),
    source: { kind: 'demo', ratings, seed: 1, tailSeconds: 0 },
    now: () => at,
    setTimer: () => () => undefined,
    sleep,
  })
  try {
    const key = await service.keys.ensure('soak', { perMinute: 1_000_000 })
    const url = 'http://soak/service/api/v1/posts/dumps'
    const headers = { authorization: `Bearer ${key}` }
    const response = await service.handle(new Request(url, { headers }))
    const reader = createCsvReader()
    const records = reader.push(new Uint8Array(await response.arrayBuffer()))
    const header = reader.header() ?? []
    return [...records, ...reader.end().records].flatMap((cells) => {
      const parsed = parseCsvRating(header, cells)
      return parsed.ok ? [parsed.rating] : []
    })
  } finally {
    await service.close()
  }
}
