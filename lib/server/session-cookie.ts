import 'server-only'

/** `__Host-`: a sibling host or plain http can neither set it nor read it. Without TLS no browser takes that name. */
const toName = (isSecure: boolean) => `${isSecure ? '__Host-' : ''}bellwether-session`

/** What is longer is nobody's browser's. */
const LONGEST_COOKIES = 8192

/** The session's secret in a request's cookies: of two by that name, neither. */
export function readSessionCookie(
  cookies: string | undefined,
  isSecure: boolean,
): string | undefined {
  if (!cookies || cookies.length > LONGEST_COOKIES) return undefined
  const name = `${toName(isSecure)}=`
  const found = cookies.split(';').flatMap((part) => {
    const text = part.trim()
    return text.startsWith(name) ? [text.slice(name.length)] : []
  })
  return found.length === 1 ? found[0] : undefined
}

/** `Set-Cookie` of a session that lasts so many seconds; a `secret` of nothing ends it. */
export function toSessionCookie(
  secret: string,
  { isSecure, seconds }: { isSecure: boolean; seconds: number },
): string {
  const parts = [`${toName(isSecure)}=${secret}`, 'Path=/', `Max-Age=${seconds}`]
  return [...parts, 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])].join('; ')
}
