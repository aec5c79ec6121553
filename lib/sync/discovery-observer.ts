import type { Discovery } from '#lib/contract/answers/discovery.ts'
import type { LogEvent } from '#lib/contract/answers/sync-runs.ts'
import type { ServicePage, Upstream } from '#lib/upstream/upstream.ts'
import { hasValidator } from '#lib/upstream/validators.ts'
import type { KeptDiscovery } from './discovery-store.ts'
import { isMovingKey, selectOrdering } from './page-order.ts'

/** Clocks are read in whole seconds, and answers take time. */
const SKEW_NOISE_SECONDS = 2

export type OnEvent = (event: Omit<LogEvent, 'id' | 'at'>) => void

/** Finds out about a service from the pages that are read anyway, and says where it is not as it was. */
export type PageObserver = {
  found(): Discovery
  /** A page as it came, counted from 1. */
  see(page: ServicePage): Promise<void>
  /** Page 1 is as it was. */
  confirm(): Promise<void>
  note(found: Partial<Discovery>): Promise<void>
  /** Page 1 as it came last; null where this process has not seen it. */
  firstPage(): ServicePage | null
  holes(): readonly number[]
  keepHoles(numbers: readonly number[]): Promise<void>
}

type ObserverDeps = {
  discovery: KeptDiscovery
  upstream: Pick<Upstream, 'budget'>
  /** Seconds since 1970. */
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
      const message = 'The service lists its ratings otherwise than before.'
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
  }
}

/** Only page 1 says what stands first. */
function selectFound(page: ServicePage): Partial<Discovery> {
  const ordering = page.page === 1 ? selectOrdering(page) : null
  if (!ordering) return {}
  const { order, key } = ordering
  return { order, order_key: key, order_key_moves: isMovingKey(key) }
}

/** A page that another one with rows follows is full; before that is seen, the longest is taken for full. */
function selectSize(held: number | null, before: ServicePage | null, page: ServicePage): number {
  const isNext = before !== null && before.page + 1 === page.page && page.rows.length > 0
  if (isNext) return before.rows.length
  return Math.max(held ?? 0, page.rows.length)
}

type Contradiction = [name: string, was: string | number | boolean, is: string | number | boolean]

/** What was known and is otherwise now. A clock that drifts and the time of looking contradict nothing. */
function selectContradictions(held: Discovery, found: Partial<Discovery>): Contradiction[] {
  const now: Discovery = { ...held, ...found, checked_at: null, clock_skew_seconds: null }
  return Object.entries(now).flatMap(([name, is]): Contradiction[] => {
    const was = Object.entries(held).find(([other]) => other === name)?.[1] ?? null
    return was === null || is === null || was === is ? [] : [[name, was, is]]
  })
}
