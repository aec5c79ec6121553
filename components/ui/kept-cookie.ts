import { withBase } from '#lib/contract/base-path.ts'

const YEAR_SECONDS = 365 * 86_400

export const toKeptCookie = (
  name: string,
  value: string,
  { isKept = true }: { isKept?: boolean } = {},
): string =>
  `${name}=${value}; path=${withBase('/')}; max-age=${isKept ? YEAR_SECONDS : 0}; samesite=lax`

export function keepCookie(cookie: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS, which a local network lacks
  document.cookie = cookie
}
