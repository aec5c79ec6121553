import { withBase, withoutBase } from '#lib/contract/base-path.ts'

/** Without the base path. */
export function readHere(): { pathname: string; search: string } {
  const { pathname, search } = window.location
  return { pathname: withoutBase(pathname) ?? pathname, search }
}

export function writeHere(href: string, how: 'push' | 'replace'): void {
  if (how === 'push') window.history.pushState(null, '', withBase(href))
  else window.history.replaceState(null, '', withBase(href))
}

export const toAbsolute = (href: string): string => window.location.origin + withBase(href)
