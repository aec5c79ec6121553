'use client'

import { type ChangeEvent, useState } from 'react'
import { toZoneName, UTC } from '#components/format/instants.ts'
import { Select } from '#components/ui/fields.tsx'
import { setZone, toOwnZone, useZone } from '#components/ui/time-zone.ts'
import { useLocalZone } from '#components/ui/use-browser.ts'

/** `short`: shows `UTC` or `Local`; its options and title name the zone. */
export function ZoneSelect({ className, short = false }: { className: string; short?: boolean }) {
  const zone = useZone()
  const [isOpened, setOpened] = useState(false)
  const options = toZoneOptions(zone, toOwnZone(useLocalZone(isOpened) ?? undefined))
  const open = () => setOpened(true)
  const select = {
    title: `Times in ${toZoneName(zone)}`,
    value: zone,
    onChange: ({ target }: ChangeEvent<HTMLSelectElement>) =>
      setZone(target.value === UTC ? 'utc' : 'local'),
    onFocus: open,
    onPointerDown: open,
  }
  if (!short) return <Select {...select} label="Times in" options={options} className={className} />
  return (
    <span className={className}>
      <span aria-hidden>{zone === UTC ? UTC : 'Local'}</span>
      <select {...select} aria-label="Times in">
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </span>
  )
}

export function toZoneOptions(
  chosen: string,
  own: string | null,
): { value: string; label: string }[] {
  const local = chosen === UTC ? own : chosen
  return [
    { value: UTC, label: UTC },
    ...(local === null || local === UTC
      ? []
      : [{ value: local, label: `${toZoneName(local)} (local)` }]),
  ]
}
