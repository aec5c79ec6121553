'use client'

import { useAddress } from '#components/address/use-address.ts'
import { withZone } from '#lib/contract/outlook.ts'
import { ZoneSelect } from './zone-select.tsx'

/** The choice of the zone on a page that leaves its zone to the address. */
export function ZoneControl({ className }: { className?: string }) {
  const { write } = useAddress()
  const choose = (zone: string) =>
    write(withZone(new URLSearchParams(window.location.search), zone))
  return <ZoneSelect onZone={choose} className={className} />
}
