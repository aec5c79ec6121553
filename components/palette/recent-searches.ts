import * as z from 'zod/mini'
import { toKeptName } from '#lib/contract/base-path.ts'

const KEY = toKeptName('bellwether.searches')
const VERSION = 1
const MOST = 20
const LONGEST = 4000

const place = z.object({ kind: z.string(), label: z.string(), path: z.string() })
export type RecentPage = z.infer<typeof place>

export type Search = string | RecentPage

const stored = z.object({
  version: z.literal(VERSION),
  searches: z.array(z.union([z.string(), place])),
})

type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Falls back to memory without storage. */
export function createRecentSearches(storage: () => TextStorage) {
  let own: Search[] | null = null
  let snapshot: RecentSearches = { searches: [], isKept: true }
  const load = (): RecentSearches => {
    const [searches, isKept] = own ? [own, false] : [read(storage) ?? [], true]
    if (isKept !== snapshot.isKept || !isSame(searches, snapshot.searches)) {
      snapshot = { searches, isKept }
    }
    return snapshot
  }
  return {
    load,
    remember(search: Search): void {
      const plain = typeof search === 'string' ? search.trim() : search
      if (plain === '' || JSON.stringify(plain).length > LONGEST) return
      const others = load().searches.filter((other) => toKey(other) !== toKey(plain))
      const searches = [plain, ...others].slice(0, MOST)
      own = write(storage, searches) ? null : searches
    },
    forget(): void {
      own = remove(storage) ? null : []
    },
  }
}

type RecentSearches = { searches: readonly Search[]; isKept: boolean }

const toKey = (search: Search) => (typeof search === 'string' ? search : `at ${search.path}`)

const isSame = (a: readonly Search[], b: readonly Search[]) =>
  a.length === b.length && a.every((search, index) => toKey(search) === toKey(b[index] ?? ''))

function read(storage: () => TextStorage): Search[] | null {
  try {
    const kept = stored.safeParse(JSON.parse(storage().getItem(KEY) ?? ''))
    return kept.success ? kept.data.searches.filter(isOurs).slice(0, MOST) : null
  } catch {
    return null
  }
}

/** Security: a stored path must stay on this origin. */
const isOurs = (search: Search) => typeof search === 'string' || /^\/(?![/\\])/.test(search.path)

function write(storage: () => TextStorage, searches: Search[]): boolean {
  try {
    if (isNewer(storage().getItem(KEY))) return false
    storage().setItem(KEY, JSON.stringify({ version: VERSION, searches }))
    return true
  } catch {
    return false
  }
}

function remove(storage: () => TextStorage): boolean {
  try {
    storage().removeItem(KEY)
    return true
  } catch {
    return false
  }
}

/** Keeps text written by a later version. */
function isNewer(text: string | null): boolean {
  try {
    const version: unknown = JSON.parse(text ?? '{}')?.version
    return typeof version === 'number' && version > VERSION
  } catch {
    return false
  }
}

export const recentSearches = createRecentSearches(() => window.localStorage)
