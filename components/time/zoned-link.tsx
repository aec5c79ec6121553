'use client'

import Link from 'next/link'
import { type ComponentProps, useCallback } from 'react'
import { toOutlookHref } from '#lib/contract/outlook.ts'
import { useOutlook } from './zone.tsx'

/** A link within the dashboard: who follows it stands at the same instant, with times in the same zone. */
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
  const outlook = useOutlook()
  return useCallback((href) => toOutlookHref(href, outlook), [outlook])
}
