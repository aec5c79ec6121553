import 'server-only'
import { toKeptName } from '#lib/contract/base-path.ts'

/** What is longer is nobody's browser's. */
const LONGEST_COOKIES = 8192

/** `__Host-`: a sibling host or plain http can neither set it nor read it. Without TLS no browser takes that name. */
const toName = (name: string, isSecure: boolean) =>
  toKeptName(`${isSecure ? '__Host-' : ''}bellwether-${name}`)

/** What a cookie of ours holds in a request: of two by that name, neither. */
export function readCookie(
  name: string,
  cookies: string | null | undefined,
  isSecure: boolean,
): string | undefined {
  if (!cookies || cookies.length > LONGEST_COOKIES) return undefined
  const start = `${toName(name, isSecure)}=`
  const found = cookies.split(';').flatMap((part) => {
    const text = part.trim()
    return text.startsWith(start) ? [text.slice(start.length)] : []
  })
  return found.length === 1 ? found[0] : undefined
}

type Lasting = { isSecure: boolean; seconds: number }

/** `Set-Cookie` of what a browser keeps for so many seconds and shows to us alone; 0 takes it back. */
export function toCookie(name: string, value: string, { isSecure, seconds }: Lasting): string {
  const parts = [`${toName(name, isSecure)}=${value}`, 'Path=/', `Max-Age=${seconds}`]
  return [...parts, 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])].join('; ')
}

/** The session's secret in a request's cookies. */
export const readSessionCookie = (
  cookies: string | undefined,
  isSecure: boolean,
): string | undefined => readCookie('session', cookies, isSecure)

/** `Set-Cookie` of a session that lasts so many seconds; a `secret` of nothing ends it. */
export const toSessionCookie = (secret: string, lasting: Lasting): string =>
  toCookie('session', secret, lasting)
