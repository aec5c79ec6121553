const BEARER = /^Bearer(?:[ \t]+(.*))?$/i

/**
 * The secret that an `Authorization` header shows (RFC 6750); undefined if it shows none. It may be of any length: one that
 * cannot be right is a wrong one, and nothing else in the request makes up for it.
 */
export function readBearer(authorization: string | null | undefined): string | undefined {
  const shown = BEARER.exec(authorization ?? '')
  return shown ? (shown[1] ?? '') : undefined
}
