'use client'

import Link from 'next/link'
import { useSearchParams } from 'next/navigation'
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
} from 'react'
import { toTimedTitle } from '#components/format/instants.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { type Outlook, readOutlook, toOutlookHref } from '#lib/contract/outlook.ts'

const Context = createContext<Outlook>({ asof: null, tz: 'UTC' })

/** Where a reader stands from here down: the instant (seconds) that all is rewound to, and the zone of its times. */
export function OutlookHere({ asof, tz, children }: Outlook & { children: ReactNode }) {
  const outlook = useMemo(() => ({ asof, tz }), [asof, tz])
  return <Context value={outlook}>{children}</Context>
}

/** The same by the page's address. A screen that writes its address ahead of the router sets its own. */
export function AddressOutlook({ children }: { children: ReactNode }) {
  const text = useSearchParams()?.toString() ?? ''
  const outlook = useMemo(() => readOutlook(new URLSearchParams(text)), [text])
  return <OutlookHere {...outlook}>{children}</OutlookHere>
}

/** Where the reader stands here. */
export const useOutlook = (): Outlook => useContext(Context)

/** The zone that times are written in here, by its name in the IANA database. */
export const useZone = (): string => useOutlook().tz

/** The instant that everything here is rewound to, in seconds since 1970; null is now. */
export const useAsof = (): number | null => useOutlook().asof

/** A link within the dashboard: who follows it stands at the same instant, with times in the same zone. */
export function ZonedLink({ href, ...rest }: Omit<ComponentProps<typeof Link>, 'href'> & Href) {
  return <Link href={useZonedHref()(href)} {...rest} />
}

/** The same for a link whose click the page takes itself. */
export function ZonedAnchor({ href, ...rest }: ComponentProps<'a'> & Href) {
  return <a href={withBase(useZonedHref()(href))} {...rest} />
}

type Href = { href: string }

/** The same for links that are made otherwise. */
export function useZonedHref(): (href: string) => string {
  const outlook = useOutlook()
  return useCallback((href) => toOutlookHref(href, outlook), [outlook])
}

/** Keeps the tab's title with the page where it is rewound in place; the server wrote the first one in the same words. */
export function useTimedTitle(title: string): void {
  const outlook = useOutlook()
  const timed = `${toTimedTitle(title, outlook)} · Bellwether`
  useEffect(() => {
    document.title = timed
  }, [timed])
}
