import { toKeptName, withBase, withoutBase } from '#lib/contract/base-path.ts'
import { withNext } from '#lib/contract/path-part.ts'

/** Holds the database files of the page SQL. */
export const DATABASE_CACHE = 'bellwether-database'

/** Changes whenever a browser has signed out, which its other tabs notice. */
const SIGNED_OUT_KEY = toKeptName('bellwether-signed-out')

/** What a browser offers here. Storage and caches may be missing or refused. */
type BrowserParts = {
  caches: () => Pick<CacheStorage, 'delete'> | undefined
  storage: () => Pick<Storage, 'getItem' | 'setItem'>
  events: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>
  location: Pick<Location, 'pathname' | 'search' | 'replace' | 'reload'>
  now: () => number
}

/** Deletes what this browser keeps of the data. Saved views and stars are the reader's own. */
async function deleteData({ caches }: BrowserParts): Promise<void> {
  try {
    await caches()?.delete(DATABASE_CACHE)
  } catch {
    // Refused, as in a private window of some browsers: then nothing is kept.
  }
}

function readMark({ storage }: BrowserParts): string | null {
  try {
    return storage().getItem(SIGNED_OUT_KEY)
  } catch {
    return null
  }
}

/** Deletes what this browser keeps of the data, and makes its other tabs leave. */
export async function endData(parts: BrowserParts = inBrowser()): Promise<void> {
  try {
    parts.storage().setItem(SIGNED_OUT_KEY, String(parts.now()))
  } catch {
    // Other tabs leave when their connection ends.
  }
  await deleteData(parts)
}

type SignedOutWatch = {
  /** For an answer that says so: deletes the data, makes other tabs leave, and leaves. */
  leave(): void
  end(): void
}

/** Leaves to the page Sign in as soon as another tab has signed out. */
export function watchSignedOut(parts: BrowserParts = inBrowser()): SignedOutWatch {
  const { events, location } = parts
  const before = readMark(parts)
  const goToSignIn = (more: Record<string, string> = {}) => {
    const { pathname, search } = location
    const here = (withoutBase(pathname) ?? pathname) + search
    location.replace(withBase(withNext('/sign-in', here, more)))
  }
  const onStorage = (event: Event) => {
    if ('key' in event && event.key === SIGNED_OUT_KEY) goToSignIn()
  }
  // A page of the back/forward cache has missed the event. Its reader may be back.
  const onShow = (event: Event) => {
    if ('persisted' in event && event.persisted && readMark(parts) !== before) location.reload()
  }
  events.addEventListener('storage', onStorage)
  events.addEventListener('pageshow', onShow)
  let isLeaving = false
  return {
    leave() {
      // Other tabs have left by then: with a new mark, this one is about to submit its form.
      if (isLeaving || readMark(parts) !== before) return
      isLeaving = true
      void endData(parts)
      goToSignIn({ why: 'ended' })
    },
    end() {
      events.removeEventListener('storage', onStorage)
      events.removeEventListener('pageshow', onShow)
    },
  }
}

function inBrowser(): BrowserParts {
  return {
    caches: () => ('caches' in globalThis ? globalThis.caches : undefined),
    storage: () => window.localStorage,
    events: window,
    location: window.location,
    now: Date.now,
  }
}
