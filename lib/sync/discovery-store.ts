import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import { type Discovery, discovery } from '#lib/contract/answers/discovery.ts'
import { seconds } from '#lib/contract/answers/shared.ts'
import { writeAtomically } from './disk.ts'
import type { DiscoveryStore } from './sync.ts'

/** When something was last found again is written no more often than this: it is no news. */
const CHECKED_SECONDS = 3600

/**
 * What is kept beside what is shown: when requests were last spent on finding out (`asked_at`), when all pages of a
 * service without an order were last read (`swept_at`), and pages that could not be read though there are pages behind
 * them (`holes`, at most 100, counted from 1).
 */
const notes = z.object({
  asked_at: z.nullable(seconds),
  swept_at: z.nullable(seconds),
  holes: z.array(z.int()),
})
export type DiscoveryNotes = z.infer<typeof notes>

export type KeptDiscovery = DiscoveryStore & {
  notes(): DiscoveryNotes
  /** On disk before it resolves. */
  keep(change: Partial<DiscoveryNotes>): Promise<void>
}

const kept = z.object({ found: discovery, notes })
type Kept = z.infer<typeof kept>

const NOTHING: Kept = {
  found: {
    page_size: null,
    first_page: null,
    order: null,
    order_key: null,
    order_key_moves: null,
    past_end: null,
    page_validators: null,
    dump_validators: null,
    clock_skew_seconds: null,
    checked_at: null,
  },
  notes: { asked_at: null, swept_at: null, holes: [] },
}

/**
 * What is known of a service, in a file. One that cannot be read is one that is not there: everything in it can be found
 * out again. Throws what the file system throws where it cannot be written.
 */
export async function openDiscovery(path: string): Promise<KeptDiscovery> {
  return createStore(await load(path), async (text) => await writeAtomically(path, text))
}

/** What is known of a service, gone with the process. */
export const createForgetfulDiscovery = (): KeptDiscovery => createStore(NOTHING, async () => {})

async function load(path: string): Promise<Kept> {
  try {
    const parsed = kept.safeParse(JSON.parse(await readFile(path, 'utf8')))
    return parsed.success ? parsed.data : NOTHING
  } catch {
    return NOTHING
  }
}

function createStore(held: Kept, write: (text: string) => Promise<void>): KeptDiscovery {
  let state = held
  let writtenAt = held.found.checked_at
  const save = async (next: Kept) => {
    state = next
    writtenAt = next.found.checked_at
    await write(JSON.stringify(next))
  }
  return {
    read: () => state.found,
    notes: () => state.notes,
    async note(found) {
      const next = { ...state, found: { ...state.found, ...found } }
      const isNews = !isSame(state.found, next.found)
      const age = (next.found.checked_at ?? 0) - (writtenAt ?? 0)
      if (isNews || Math.abs(age) >= CHECKED_SECONDS) await save(next)
      else state = next
    },
    async keep(change) {
      await save({ ...state, notes: { ...state.notes, ...change } })
    },
  }
}

/** But for when it was looked at. */
const isSame = (a: Discovery, b: Discovery): boolean =>
  JSON.stringify({ ...a, checked_at: null }) === JSON.stringify({ ...b, checked_at: null })
