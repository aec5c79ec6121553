'use client'

import { useState } from 'react'
import { useZone } from '#components/address/outlook.tsx'
import { useAddress } from '#components/address/use-address.ts'
import { EASTERN, toZoneName } from '#components/format/instants.ts'
import { classNames } from '#components/ui/class-names.ts'
import { Select } from '#components/ui/fields.tsx'
import { useLocalZone } from '#components/ui/use-browser.ts'
import { outlookQuery } from '#lib/contract/outlook.ts'
import { toParams } from '#lib/contract/query-schema.ts'

type ZoneSelectProps = { onZone: (zone: string) => void; className?: string }

export function ZoneSelect({ onZone, className }: ZoneSelectProps) {
  const zone = useZone()
  // Reading the browser's zone takes 40 ms: only readers who open the options wait for it.
  const [isOpened, setOpened] = useState(false)
  const own = toOwnZone(useLocalZone(isOpened) ?? undefined)
  const open = () => setOpened(true)
  return (
    <Select
      label="Times in"
      className={classNames('[&_select]:w-44 max-[22.5rem]:[&_select]:w-32', className)}
      value={zone}
      options={toZoneOptions(zone, own)}
      onChange={({ target }) => onZone(target.value)}
      onFocus={open}
      onPointerDown={open}
    />
  )
}

export function ZoneControl({ className }: { className?: string }) {
  const { write } = useAddress()
  const choose = (zone: string) =>
    write(toParams(outlookQuery, { tz: zone }, new URLSearchParams(window.location.search)))
  return <ZoneSelect onZone={choose} className={className} />
}

const UTC = 'UTC'

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

/** Null if unknown. */
export function toOwnZone(resolved: string | undefined): string | null {
  if (resolved === undefined || resolved === 'Etc/Unknown') return null
  if (/^(Etc\/)?(UTC|GMT)$/.test(resolved)) return UTC
  return /^[A-Z]/i.test(resolved) ? resolved : null
}
