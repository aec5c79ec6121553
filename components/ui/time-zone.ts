import { createContext, useContext } from 'react'
import { UTC } from '#components/format/instants.ts'
import { updateStored, useStored } from '#components/store/store.ts'
import { readLocalZone } from './use-browser.ts'

export const setZone = (zone: 'utc' | 'local'): void => updateStored(() => ({ zone }))

/** Embeds show UTC to everybody. */
export const UtcOnly = createContext(false)

/** IANA name. UTC on the server and during hydration. */
export function useZone(): string {
  const isLocal = useStored(({ zone }) => zone === 'local')
  const isUtcOnly = useContext(UtcOnly)
  // Reading the browser's zone takes 40 ms: only readers who chose it wait for it.
  return isLocal && !isUtcOnly ? (toOwnZone(readLocalZone()) ?? UTC) : UTC
}

/** Null if unknown. */
export function toOwnZone(resolved: string | undefined): string | null {
  if (resolved === undefined || resolved === 'Etc/Unknown') return null
  if (/^(Etc\/)?(UTC|GMT)$/.test(resolved)) return UTC
  return /^[A-Z]/i.test(resolved) ? resolved : null
}
