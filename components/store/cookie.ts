import { withBase } from '#lib/contract/base-path.ts'

const YEAR_SECONDS = 365 * 86_400

/** For a year, or removed if empty. */
export function setCookie(name: string, value: string): void {
  const age = value === '' ? 0 : YEAR_SECONDS
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS, which a local network lacks
  document.cookie = `${name}=${value}; path=${withBase('/')}; max-age=${age}; samesite=lax`
}
