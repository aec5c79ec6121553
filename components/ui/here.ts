import { withBase, withoutBase } from '#lib/contract/base-path.ts'

/** Where the browser stands, as our addresses are written: `pathname` without what the whole application stands under. */
export function readHere(): { pathname: string; search: string } {
  const { pathname, search } = window.location
  return { pathname: withoutBase(pathname) ?? pathname, search }
}

/** Changes the address in sight without asking the server: `push` leaves a step to come back to, `replace` does not. */
export function writeHere(href: string, how: 'push' | 'replace'): void {
  if (how === 'push') window.history.pushState(null, '', withBase(href))
  else window.history.replaceState(null, '', withBase(href))
}

/** An address of ours with the host that this page came from, to be used elsewhere. */
export const toAbsolute = (href: string): string => window.location.origin + withBase(href)
