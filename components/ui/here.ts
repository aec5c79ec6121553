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

/** Kept with the history entry, beside the router's own state. Null if absent. */
export const readOfEntry = (name: string): unknown => window.history.state?.[name] ?? null

export const keepWithEntry = (name: string, value: unknown): void =>
  window.history.replaceState({ ...window.history.state, [name]: value }, '')

export const toAbsolute = (href: string): string => window.location.origin + withBase(href)
