import 'server-only'

/** An address of our own, whatever somebody wrote into a link to the way in; the first page where it is none. */
export function toLocalAddress(text: string | null): string {
  if (!text?.startsWith('/') || !URL.canParse(text, 'http://here')) return '/'
  const { host, pathname, search } = new URL(text, 'http://here')
  const isOurs = host === 'here' && !pathname.startsWith('//')
  return isOurs && !/^\/(?:api|sign-in)(?:\/|$)/.test(pathname) ? pathname + search : '/'
}
