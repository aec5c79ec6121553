import * as z from 'zod/mini'
import { seconds } from '#lib/contract/answers/envelope.ts'
import { type Discovery, discovery, type LogEvent } from '#lib/contract/answers/status.ts'
import type { DiscoveryStore } from '#lib/sync/sync.ts'
import { hasValidator } from '#lib/upstream/answer-headers.ts'
import type { KeptText } from '#lib/upstream/replace-file.ts'
import type { ServicePage, Upstream } from '#lib/upstream/upstream.ts'
import { isMovingKey, selectOrdering } from './page-order.ts'

const SKEW_NOISE_SECONDS = 2

export type OnEvent = (event: Omit<LogEvent, 'id' | 'at'>) => void

export type PageObserver = {
  found(): Discovery
  see(page: ServicePage): Promise<void>
  confirm(): Promise<void>
  note(found: Partial<Discovery>): Promise<void>
  /** Null if this process has not read it. */
  firstPage(): ServicePage | null
  holes(): readonly number[]
  keepHoles(numbers: readonly number[]): Promise<void>
  isUnjoined(id: number): boolean
  addUnjoined(ids: Iterable<number>): Promise<void>
  clearUnjoined(): Promise<void>
}

type ObserverDeps = {
  discovery: KeptDiscovery
  upstream: Pick<Upstream, 'budget'>
  /** Unix seconds. */
  now: () => number
  onEvent?: OnEvent
}

export function createPageObserver(deps: ObserverDeps): PageObserver {
  const { discovery, upstream, now, onEvent = () => undefined } = deps
  let before: ServicePage | null = null
  let first: ServicePage | null = null

  const note = async (found: Partial<Discovery>) => {
    for (const [name, was, is] of selectContradictions(discovery.read(), found)) {
      const fields = { name, was, is }
      const message = 'The service lists its ratings differently than before.'
      onEvent({ level: 'warning', kind: 'service', message, fields })
    }
    await discovery.note({ ...found, checked_at: Math.floor(now()) })
  }
  const selectSkew = () => {
    const skew = upstream.budget().clockSkewSeconds
    const held = discovery.read().clock_skew_seconds
    const isNoise = skew !== null && held !== null && Math.abs(skew - held) <= SKEW_NOISE_SECONDS
    return isNoise || skew === null ? held : Math.round(skew)
  }
  return {
    found: discovery.read,
    note,
    async see(page) {
      const size = selectSize(discovery.read().page_size, before, page)
      before = page
      if (page.page === 1) first = page
      const clock = { clock_skew_seconds: selectSkew() }
      if (page.rows.length === 0) return await note(clock)
      const page_validators = hasValidator(page.validators)
      await note({ ...clock, page_validators, page_size: size, ...selectFound(page) })
    },
    confirm: async () => await note({ clock_skew_seconds: selectSkew(), page_validators: true }),
    firstPage: () => first,
    holes: () => discovery.notes().holes,
    async keepHoles(numbers) {
      const holes = numbers.slice(0, 100)
      if (holes.join() !== discovery.notes().holes.join()) await discovery.keep({ holes })
    },
    isUnjoined: (id) => discovery.notes().unjoined.some(([from, to]) => id >= from && id <= to),
    addUnjoined: async (ids) => await keepUnjoined(discovery, addRanges(ids, discovery.notes())),
    clearUnjoined: async () => await keepUnjoined(discovery, []),
  }
}

type IdRange = [from: number, to: number]

const RANGES_MAX = 10_000

/** Beyond `RANGES_MAX` one range covers all: more is read again than necessary. */
function addRanges(ids: Iterable<number>, { unjoined }: DiscoveryNotes): IdRange[] {
  const added = [...ids].map((id): IdRange => [id, id])
  const ranges: IdRange[] = []
  for (const [from, to] of [...unjoined, ...added].sort(([a], [b]) => a - b)) {
    const last = ranges.at(-1)
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else ranges.push([from, to])
  }
  const [first, last] = [ranges[0], ranges.at(-1)]
  return first && last && ranges.length > RANGES_MAX ? [[first[0], last[1]]] : ranges
}

/** A dump that lists ratings up to `highest` also lists what is below them. */
export async function dropUnjoined(discovery: NotesOfDiscovery, highest: number): Promise<void> {
  const left = discovery
    .notes()
    .unjoined.flatMap(([from, to]): IdRange[] =>
      to > highest ? [[Math.max(from, highest + 1), to]] : [],
    )
  await keepUnjoined(discovery, left)
}

type NotesOfDiscovery = Pick<KeptDiscovery, 'notes' | 'keep'>

async function keepUnjoined(discovery: NotesOfDiscovery, unjoined: IdRange[]): Promise<void> {
  if (unjoined.join() !== discovery.notes().unjoined.join()) await discovery.keep({ unjoined })
}

function selectFound(page: ServicePage): Partial<Discovery> {
  const ordering = page.page === 1 ? selectOrdering(page) : null
  if (!ordering) return {}
  const { order, key } = ordering
  return { order, order_key: key, order_key_moves: isMovingKey(key) }
}

/** Only a page followed by rows is known to be full. */
function selectSize(held: number | null, before: ServicePage | null, page: ServicePage): number {
  const isNext = before !== null && before.page + 1 === page.page && page.rows.length > 0
  if (isNext) return before.rows.length
  return Math.max(held ?? 0, page.rows.length)
}

type Contradiction = [name: string, was: string | number | boolean, is: string | number | boolean]

function selectContradictions(held: Discovery, found: Partial<Discovery>): Contradiction[] {
  const now: Discovery = { ...held, ...found, checked_at: null, clock_skew_seconds: null }
  return Object.entries(now).flatMap(([name, is]): Contradiction[] => {
    const was = Object.entries(held).find(([other]) => other === name)?.[1] ?? null
    return was === null || is === null || was === is ? [] : [[name, was, is]]
  })
}

const CHECKED_SECONDS = 3600

/**
 * Unix seconds. `holes`: unreadable pages, counted from 1. `unjoined`: ranges of ids that were
 * stored by follows that broke off: ratings below them may be missing.
 */
const notes = z.object({
  asked_at: z.nullable(seconds),
  swept_at: z.nullable(seconds),
  holes: z.array(z.int()),
  unjoined: z._default(z.array(z.tuple([z.int(), z.int()])), []),
})
type DiscoveryNotes = z.infer<typeof notes>

export type KeptDiscovery = DiscoveryStore & {
  notes(): DiscoveryNotes
  keep(change: Partial<DiscoveryNotes>): Promise<void>
}

const kept = z.object({ found: discovery, notes })
type StoredDiscovery = z.infer<typeof kept>

export const UNKNOWN_DISCOVERY: Discovery = {
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
}

const NOTHING: StoredDiscovery = {
  found: UNKNOWN_DISCOVERY,
  notes: { asked_at: null, swept_at: null, holes: [], unjoined: [] },
}

/** Ignores damaged data. Throws load errors. */
export async function openDiscovery(kept: KeptText): Promise<KeptDiscovery> {
  return createStore(parseKept(await kept.load()), kept.save)
}

export const createForgetfulDiscovery = (): KeptDiscovery => createStore(NOTHING, async () => {})

function parseKept(text: string | null): StoredDiscovery {
  try {
    const parsed = kept.safeParse(JSON.parse(text ?? ''))
    return parsed.success ? parsed.data : NOTHING
  } catch {
    return NOTHING
  }
}

function createStore(held: StoredDiscovery, write: (text: string) => Promise<void>): KeptDiscovery {
  let state = held
  let writtenAt = held.found.checked_at
  const save = async (next: StoredDiscovery) => {
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

const isSame = (a: Discovery, b: Discovery): boolean =>
  JSON.stringify({ ...a, checked_at: null }) === JSON.stringify({ ...b, checked_at: null })
