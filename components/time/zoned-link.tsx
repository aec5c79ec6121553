'use client'

import Link from 'next/link'
import { type ComponentProps, useCallback } from 'react'
import { toZonedHref } from '#lib/contract/zone.ts'
import { useZone } from './zone.tsx'

/** A link within the dashboard: times there are in the zone that they are in here. */
export function ZonedLink({ href, ...rest }: Omit<ComponentProps<typeof Link>, 'href'> & Href) {
  return <Link href={useZonedHref()(href)} {...rest} />
}

/** The same for a link whose click the page takes itself. */
export function ZonedAnchor({ href, ...rest }: ComponentProps<'a'> & Href) {
  return <a href={useZonedHref()(href)} {...rest} />
}

type Href = { href: string }

/** The same for links that are made otherwise. */
export function useZonedHref(): (href: string) => string {
  const zone = useZone()
  return useCallback((href) => toZonedHref(href, zone), [zone])
}
