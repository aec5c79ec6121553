'use client'

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
import { Link } from '#components/ui/link.tsx'
import { withBase } from '#lib/contract/base-path.ts'
import { type Outlook, readOutlook, toOutlookHref } from '#lib/contract/outlook.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { toSymbolHref } from './page-address.ts'

const Context = createContext<Outlook>({ asof: null, tz: 'UTC' })

/** `asof`: seconds since 1970. `tz`: IANA name. */
export function OutlookHere({ asof, tz, children }: Outlook & { children: ReactNode }) {
  const outlook = useMemo(() => ({ asof, tz }), [asof, tz])
  return <Context value={outlook}>{children}</Context>
}

export function AddressOutlook({ children }: { children: ReactNode }) {
  const text = useSearchParams()?.toString() ?? ''
  const outlook = useMemo(() => readOutlook(new URLSearchParams(text)), [text])
  return <OutlookHere {...outlook}>{children}</OutlookHere>
}

export const useOutlook = (): Outlook => useContext(Context)

export const useZone = (): string => useOutlook().tz

/** Seconds since 1970; null is now. */
export const useAsof = (): number | null => useOutlook().asof

export function ZonedLink({ href, ...rest }: Omit<ComponentProps<typeof Link>, 'href'> & Href) {
  return <Link href={useZonedHref()(href)} {...rest} />
}

type SymbolLinkProps = Omit<ComponentProps<typeof Link>, 'href' | 'children'> & { symbol: string }

export const SymbolLink = ({ symbol, className = 'link', ...rest }: SymbolLinkProps) => (
  <ZonedLink className={className} href={toSymbolHref(symbol)} {...rest}>
    <bdi>{toVisibleText(symbol)}</bdi>
  </ZonedLink>
)

export function ZonedAnchor({ href, ...rest }: ComponentProps<'a'> & Href) {
  return <a href={withBase(useZonedHref()(href))} {...rest} />
}

type Href = { href: string }

export function useZonedHref(): (href: string) => string {
  const outlook = useOutlook()
  return useCallback((href) => toOutlookHref(href, outlook), [outlook])
}

/** Must produce the same title as the server did. */
export function useTimedTitle(title: string): void {
  const outlook = useOutlook()
  const timed = `${toTimedTitle(title, outlook)} · Bellwether`
  useEffect(() => {
    document.title = timed
  }, [timed])
}
