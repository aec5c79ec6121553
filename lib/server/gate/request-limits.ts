import 'server-only'
import type { IncomingMessage } from 'node:http'
import { AppError } from '#lib/contract/faults.ts'
import { PRICE_FILE_MAX_BYTES } from '#lib/contract/price-files.ts'
import { selectAmbiguity } from './plain-address.ts'

/** Bounds parsing, which takes superlinear time. */
const ADDRESS_MAX = 8192
const PARAMETERS_MAX = 200

const BODY_MAX_BYTES = 65_536

type RequestHead = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

/** Rejects before anything is parsed. `allowedHosts` null: any. */
export function selectRefusal(
  request: RequestHead,
  allowedHosts: readonly string[] | null,
): AppError | null {
  const { url = '/', headers } = request
  if (!isAllowedHost(allowedHosts, headers.host ?? null)) {
    const message = 'This dashboard is not served under that host name (ALLOWED_HOSTS).'
    return new AppError('misdirected', message)
  }
  return selectAddressRefusal(url) ?? selectBodyRefusal(request) ?? selectSiteRefusal(request)
}

const PORT = /:\d+$/

export function isAllowedHost(allowed: readonly string[] | null, host: string | null): boolean {
  if (allowed === null) return true
  return host !== null && allowed.includes(host.toLowerCase().replace(PORT, ''))
}

function selectAddressRefusal(url: string): AppError | null {
  if (url.length > ADDRESS_MAX) {
    const message = `The address has more than ${ADDRESS_MAX.toLocaleString('en-US')} characters.`
    return new AppError('uri_too_long', message)
  }
  if (countParameters(url) > PARAMETERS_MAX) {
    return new AppError('bad_request', `The address has more than ${PARAMETERS_MAX} parameters.`)
  }
  if (namesPrototype(url)) {
    const message = `No address has the parameter ${LOST}.`
    return new AppError('bad_request', message, { issues: [LOST_ISSUE] })
  }
  const ambiguity = selectAmbiguity(url)
  return ambiguity === null ? null : new AppError('bad_request', ambiguity)
}

/** The framework drops this name, so later validation could not report it. */
const LOST = '__proto__'
const LOST_ISSUE = { parameter: LOST, message: 'is not a parameter here' }

function namesPrototype(url: string): boolean {
  const query = url.split('?', 2)[1] ?? ''
  return /proto|%/i.test(query) && new URLSearchParams(query).has(LOST)
}

function countParameters(url: string): number {
  let count = 1
  for (let at = url.indexOf('&'); at !== -1; at = url.indexOf('&', at + 1)) count += 1
  return count
}

const FILES = /^\/api\/prices\/[^/?]+(?:\?|$)/

function selectBodyRefusal({ method, url = '/', headers }: RequestHead): AppError | null {
  if (headers['transfer-encoding'] !== undefined) {
    return new AppError('length_required', 'A body needs a Content-Length header.')
  }
  const isFile = method === 'PUT' && FILES.test(url)
  const mostBytes = isFile ? PRICE_FILE_MAX_BYTES : BODY_MAX_BYTES
  if (Number(headers['content-length'] ?? 0) <= mostBytes) return null
  const most = mostBytes.toLocaleString('en-US')
  return new AppError('payload_too_large', `The body has more than ${most} bytes.`)
}

const API = /^\/(?:api|mcp)(?:[/?]|$)/

/** Other sites may embed preview images. */
const SHARED = /^\/api\/previews\//

/** Links that act: they spend a request of the key, or sign in. */
const ACTING = /^\/api\/(?:v1\/posts(?:[/?]|$)|access\/oidc(?:\?|$))/

/** Other sites may link to the API, but neither fetch it nor act by a link. */
function selectSiteRefusal({ method, url = '/', headers }: RequestHead): AppError | null {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return null
  if (!API.test(url) || SHARED.test(url)) return null
  const isLink = headers['sec-fetch-mode'] === 'navigate' && (method === 'GET' || method === 'HEAD')
  if (isLink && !ACTING.test(url)) return null
  return new AppError('forbidden', 'Requests from other sites are not allowed.')
}
