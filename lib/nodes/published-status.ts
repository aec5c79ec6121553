import * as z from 'zod/mini'
import { dump, status } from '#lib/contract/answers/status.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import type { EditionStore, Sync } from '#lib/sync/sync.ts'

const publishedStatus = z.object({
  sync: status.shape.sync,
  plan: status.shape.plan,
  runs: status.shape.runs,
  days: status.shape.days,
  budget: status.shape.budget,
  discovery: status.shape.discovery,
  alarms: status.shape.alarms,
  cards: z.object({ posts: dump, lookups: dump }),
})
export type PublishedStatus = z.infer<typeof publishedStatus>

export const STATUS_DOCUMENT = 'status'

export const toPublished = (sync: Sync, editions: Pick<EditionStore, 'card'>): PublishedStatus => {
  const card = (kind: DumpKind) => editions.card(kind)
  return {
    sync: sync.state(),
    plan: sync.plan(),
    runs: sync.runs(),
    days: sync.days(),
    budget: sync.budget(),
    discovery: sync.discovery(),
    alarms: sync.alarms(),
    cards: { posts: card('posts'), lookups: card('lookups') },
  }
}

/** Null if written by an incompatible version. */
export function parsePublished(text: string): PublishedStatus | null {
  try {
    const parsed = publishedStatus.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
