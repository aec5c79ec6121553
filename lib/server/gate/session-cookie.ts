import 'server-only'
import { toKeptName } from '#lib/contract/base-path.ts'

/** `__Host-`: sibling hosts and plain http cannot set it. Requires TLS. */
const toName = (name: string, isSecure: boolean) =>
  toKeptName(`${isSecure ? '__Host-' : ''}bellwether-${name}`)

type Cookies = string | null | undefined

/** Undefined if missing or repeated. */
export function readCookie(name: string, cookies: Cookies, isSecure: boolean): string | undefined {
  const values = listCookies(name, cookies, isSecure)
  return values.length === 1 ? values[0] : undefined
}

function listCookies(name: string, cookies: Cookies, isSecure: boolean): string[] {
  const start = `${toName(name, isSecure)}=`
  return (cookies ?? '').split(';').flatMap((part) => {
    const text = part.trim()
    return text.startsWith(start) ? [text.slice(start.length)] : []
  })
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

/** A second one comes from another program on this host, or from a sibling host. */
export const isSessionRepeated = (cookies: string | undefined, isSecure: boolean): boolean =>
  listCookies('session', cookies, isSecure).length > 1

export const toSessionCookie = (secret: string, lasting: Lasting): string =>
  toCookie('session', secret, lasting)
