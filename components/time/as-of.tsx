'use client'

import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
} from 'react'
import { toTimedTitle } from '#components/format/instants.ts'
import { Link } from '#components/ui/link.tsx'
import { useUrlQuery } from '#lib/client/url-query.ts'
import { asofQuery, withAsOf } from '#lib/contract/api-queries.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { toSymbolHref } from '#lib/contract/page-addresses.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

const Context = createContext<number | null>(null)

type AsOfProviderProps = {
  /** Seconds since 1970; null is now. */
  asof: number | null
  children: ReactNode
}

export const AsOfProvider = ({ asof, children }: AsOfProviderProps) => (
  <Context value={asof}>{children}</Context>
)

export function AddressAsOfProvider({ children }: { children: ReactNode }) {
  const { asof } = useUrlQuery(asofQuery).query
  return <AsOfProvider asof={asof}>{children}</AsOfProvider>
}

/** Seconds since 1970; null is now. */
export const useAsOf = (): number | null => useContext(Context)

export function AsOfLink({ href, ...rest }: Omit<ComponentProps<typeof Link>, 'href'> & Href) {
  return <Link href={useAsOfHref()(href)} {...rest} />
}

type SymbolLinkProps = Omit<ComponentProps<typeof Link>, 'href' | 'children'> & { symbol: string }

export const SymbolLink = ({ symbol, className = 'link', ...rest }: SymbolLinkProps) => (
  <AsOfLink className={className} href={toSymbolHref(symbol)} {...rest}>
    <bdi>{toVisibleText(symbol)}</bdi>
  </AsOfLink>
)

export function AsOfAnchor({ href, ...rest }: ComponentProps<'a'> & Href) {
  return <a href={withBase(useAsOfHref()(href))} {...rest} />
}

type Href = { href: string }

export function useAsOfHref(): (href: string) => string {
  const asof = useAsOf()
  return useCallback((href) => withAsOf(href, asof), [asof])
}

/** Must produce the same title as the server did. */
export function useTimedTitle(title: string): void {
  const timed = `${toTimedTitle(title, useAsOf())} · Bellwether`
  useEffect(() => {
    document.title = timed
  }, [timed])
}
