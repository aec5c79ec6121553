import { createContext, useContext, useSyncExternalStore } from 'react'
import { UTC } from '#components/format/instants.ts'
import { toKeptName } from '#lib/contract/base-path.ts'
import { createKeptStore, type KeptStore, type TextStorage } from './kept-store.ts'
import { readLocalZone } from './use-browser.ts'

/** `local`: the browser's zone. */
type ZoneSetting = 'utc' | 'local'

const KEY = toKeptName('bellwether.time-zone')

export const createZoneStore = (storage: () => TextStorage): KeptStore<ZoneSetting> =>
  createKeptStore<ZoneSetting>(
    {
      key: KEY,
      unreadableKey: `${KEY}.unreadable`,
      none: 'utc',
      read: (text) => ({ ok: true, value: text === 'local' ? 'local' : 'utc', isWhole: true }),
      toText: (setting) => setting,
      // The last tab to write wins.
      merge: (_, stored) => stored,
    },
    storage,
  )

const store = createZoneStore(() => window.localStorage)

export const setZone = (setting: ZoneSetting): void => store.change(() => setting)

let hasListener = false

/** One listener for all: a table has hundreds of times. */
function subscribe(listener: () => void): () => void {
  if (!hasListener) {
    hasListener = true
    window.addEventListener('storage', ({ key }) => {
      if (key === KEY || key === null) store.hear()
    })
  }
  return store.subscribe(listener)
}

// Reading the browser's zone takes 40 ms: only readers who chose it wait for it.
const readZone = (): string =>
  store.load().saved === 'local' ? (toOwnZone(readLocalZone()) ?? UTC) : UTC

/** Embeds show UTC to everybody. */
export const UtcOnly = createContext(false)

/** IANA name. UTC on the server and during hydration. */
export function useZone(): string {
  const zone = useSyncExternalStore(subscribe, readZone, () => UTC)
  return useContext(UtcOnly) ? UTC : zone
}

/** Null if unknown. */
export function toOwnZone(resolved: string | undefined): string | null {
  if (resolved === undefined || resolved === 'Etc/Unknown') return null
  if (/^(Etc\/)?(UTC|GMT)$/.test(resolved)) return UTC
  return /^[A-Z]/i.test(resolved) ? resolved : null
}
