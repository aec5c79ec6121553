'use client'

import { classNames } from '#components/ui/class-names.ts'
import { Select } from '#components/ui/select.tsx'
import { useLocalZone } from '#components/ui/use-now.ts'
import { useZone } from './zone.tsx'
import { toOwnZone, toZoneOptions } from './zone-options.ts'

type ZoneSelectProps = { onZone: (zone: string) => void; className?: string }

/** "Times in UTC": names the zone of every time on the page, once, and changes it. */
export function ZoneSelect({ onZone, className }: ZoneSelectProps) {
  const zone = useZone()
  const own = toOwnZone(useLocalZone() ?? undefined)
  return (
    <Select
      label="Times in"
      // As wide with the reader's own zone, which only the browser knows, as without.
      className={classNames('[&_select]:w-44', className)}
      value={zone}
      options={toZoneOptions(zone, own)}
      onChange={({ target }) => onZone(target.value)}
    />
  )
}
