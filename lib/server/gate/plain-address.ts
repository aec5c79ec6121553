import { isDecodable } from '#lib/contract/path-part.ts'
import 'server-only'

/** Normalizes as in RFC 3986, 6.2.2.2. */
export function normalizeAddress(target: string): string {
  if (PLAIN.test(target)) return target
  const [path = '', ...query] = toOriginForm(target).split('?')
  return [isDecodable(path) ? path.replace(ESCAPE, decodeUnreserved) : path, ...query].join('?')
}

const PLAIN = /^\/[^%]*$/

/** Accepts the absolute form (RFC 9112, 3.2.2). */
function toOriginForm(target: string): string {
  const address = target.replace(/^https?:\/\/[^/?#\\]*/i, '')
  return address === target || address.startsWith('/') ? address : `/${address}`
}

const ESCAPE = /%[0-7][0-9a-f]/gi

function decodeUnreserved(encoded: string): string {
  const character = decodeURIComponent(encoded)
  return /[\w.~-]/.test(character) ? character : encoded
}

/** May contain an encoded slash or backslash. */
const NAMED =
  /^\/(?:(?:embed|api|api\/previews)\/)?symbols\/[^/]+|^\/api\/(?:alerts\/rules|access\/accounts)\/[^/]+/

/** Null unless parsers might disagree on the address. */
export function selectAmbiguity(address: string): string | null {
  const [path = ''] = address.split('?')
  if (!path.startsWith('/')) return 'The address does not begin with a slash.'
  if (address.includes('#')) return 'The address has a fragment (#).'
  if (!isDecodable(path)) return 'The address has an invalid percent encoding.'
  if (/\/\.{1,2}(?:\/|$)/.test(path)) return 'The address has a dot segment (“.” or “..”).'
  if (path.includes('//')) return 'The address has a double slash.'
  if (path.includes('\\')) return 'The address has a backslash.'
  if (/%(?:2f|5c)/i.test(path.replace(NAMED, ''))) {
    return 'The address has an encoded slash or backslash outside a name.'
  }
  return null
}
