import { EASTERN } from '#components/format/zoned.ts'
import { toZoneName } from './zone-name.ts'

const UTC = 'UTC'

/**
 * The zones to choose from: UTC, Eastern, the reader's own (null while nobody knows it), and the one that is chosen
 * where it is none of them.
 */
export function toZoneOptions(
  chosen: string,
  own: string | null,
): { value: string; label: string }[] {
  const known = [
    { value: UTC, label: UTC },
    { value: EASTERN, label: 'Eastern (ET)' },
    ...(own === null ? [] : [{ value: own, label: `${toZoneName(own)} (local)` }]),
    { value: chosen, label: toZoneName(chosen) },
  ]
  return known.filter(
    ({ value }, index) => known.findIndex((zone) => zone.value === value) === index,
  )
}

/** The zone that a browser says its reader is in, or null where it says none, or one without a name. */
export function toOwnZone(resolved: string | undefined): string | null {
  if (resolved === undefined || resolved === 'Etc/Unknown') return null
  if (/^(Etc\/)?(UTC|GMT)$/.test(resolved)) return UTC
  return /^[A-Z]/i.test(resolved) ? resolved : null
}
