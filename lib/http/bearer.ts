const BEARER = /^Bearer(?:[ \t]+(.*))?$/i

/**
 * RFC 6750. Returned whatever its length: an invalid token must not fall back to other credentials.
 */
export function readBearer(authorization: string | null | undefined): string | undefined {
  const shown = BEARER.exec(authorization ?? '')
  return shown ? (shown[1] ?? '') : undefined
}
