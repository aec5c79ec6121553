/** Adds the page to open after signing in. */
export function withNext(path: string, next: string, more: Record<string, string> = {}): string {
  const query = String(new URLSearchParams({ ...(next !== '/' && { next }), ...more }))
  return query === '' ? path : `${path}?${query}`
}
