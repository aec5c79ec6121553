'use client'

import { useSearchParams } from 'next/navigation'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { type Outlook, readOutlook } from '#lib/contract/outlook.ts'

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
