import 'server-only'
import { toKeptName } from '#lib/contract/base-path.ts'

const LONGEST_COOKIES = 8192

/** `__Host-`: sibling hosts and plain http cannot set it. Requires TLS. */
const toName = (name: string, isSecure: boolean) =>
  toKeptName(`${isSecure ? '__Host-' : ''}bellwether-${name}`)

/** Undefined if missing or repeated. */
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

/** 0 seconds deletes it. */
export function toCookie(name: string, value: string, { isSecure, seconds }: Lasting): string {
  const parts = [`${toName(name, isSecure)}=${value}`, 'Path=/', `Max-Age=${seconds}`]
  return [...parts, 'HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])].join('; ')
}

export const readSessionCookie = (
  cookies: string | undefined,
  isSecure: boolean,
): string | undefined => readCookie('session', cookies, isSecure)

export const toSessionCookie = (secret: string, lasting: Lasting): string =>
  toCookie('session', secret, lasting)
