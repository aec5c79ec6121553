import { withBase } from '#lib/contract/base-path.ts'

const YEAR_SECONDS = 365 * 86_400

/** The text that has a browser keep a cookie for a year, or forget it. */
export const toKeptCookie = (
  name: string,
  value: string,
  { isKept = true }: { isKept?: boolean } = {},
): string =>
  `${name}=${value}; path=${withBase('/')}; max-age=${isKept ? YEAR_SECONDS : 0}; samesite=lax`

/** Gives such a text to the browser. */
export function keepCookie(cookie: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS, which a local network lacks
  document.cookie = cookie
}
