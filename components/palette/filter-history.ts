import * as z from 'zod/mini'

const KEY = 'bellwether.filters'
const VERSION = 1
const MOST = 20
const LONGEST = 4000

const stored = z.object({ version: z.literal(VERSION), texts: z.array(z.string()) })

type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * The filter texts that were applied before, the latest first. `storage` is asked each time, since asking may be what
 * is forbidden; what cannot be kept lasts as long as the page, and `isKept` says so.
 */
export function createFilterHistory(storage: () => TextStorage) {
  // Null while the storage holds everything that this page knows.
  let own: string[] | null = null
  let snapshot: FilterHistory = { texts: [], isKept: true }
  const load = (): FilterHistory => {
    const [texts, isKept] = own ? [own, false] : [read(storage) ?? [], true]
    if (isKept !== snapshot.isKept || !isSame(texts, snapshot.texts)) snapshot = { texts, isKept }
    return snapshot
  }
  return {
    load,
    remember(text: string): void {
      const plain = text.trim()
      if (plain === '' || plain.length > LONGEST) return
      const texts = [plain, ...load().texts.filter((other) => other !== plain)].slice(0, MOST)
      own = write(storage, texts) ? null : texts
    },
    forget(): void {
      own = remove(storage) ? null : []
    },
  }
}

export type FilterHistory = { texts: readonly string[]; isKept: boolean }

const isSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((text, index) => text === b[index])

/** Null where nothing can be read; what another version wrote, or somebody else, is nothing. */
function read(storage: () => TextStorage): string[] | null {
  try {
    const kept = stored.safeParse(JSON.parse(storage().getItem(KEY) ?? ''))
    return kept.success ? kept.data.texts.slice(0, MOST) : null
  } catch {
    return null
  }
}

function write(storage: () => TextStorage, texts: string[]): boolean {
  try {
    if (isNewer(storage().getItem(KEY))) return false
    storage().setItem(KEY, JSON.stringify({ version: VERSION, texts }))
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

/** What a later version of this program wrote is left alone. */
function isNewer(text: string | null): boolean {
  try {
    const version: unknown = JSON.parse(text ?? '{}')?.version
    return typeof version === 'number' && version > VERSION
  } catch {
    return false
  }
}

export const filterHistory = createFilterHistory(() => window.localStorage)
