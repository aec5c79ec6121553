import { type LookupAddress, lookup as lookupInSystem } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Dispatcher } from 'undici'
import { parseIpAddress, toReachedAddress } from '#lib/http/ip-address.ts'

/** Special-purpose addresses (IANA registries, RFC 6890), blocked against SSRF. */
const INSIDE = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  INSIDE.addSubnet(network, bits, 'ipv4')
}
/** IPv6 outside 2000::/3 is blocked. */
const GIVEN = new BlockList()
GIVEN.addSubnet('2000::', 3, 'ipv6')
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  INSIDE.addSubnet(network, bits, 'ipv6')
}

export function isInside(address: string): boolean {
  const reached = toReached(address)
  if (reached === null) return true
  if (isIP(reached) === 4) return INSIDE.check(reached, 'ipv4')
  return !GIVEN.check(reached, 'ipv6') || INSIDE.check(reached, 'ipv6')
}

/** Unwraps IPv4 embedded in IPv6. Null if invalid. */
function toReached(address: string): string | null {
  const canonical = parseIpAddress(address)
  return canonical && toReachedAddress(canonical)
}

export const selectOwnAddresses = (): ReadonlySet<string> =>
  new Set(
    Object.values(networkInterfaces()).flatMap((list) =>
      (list ?? []).flatMap(({ address }) => toReached(address) ?? []),
    ),
  )

export class ForbiddenReceiver extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ForbiddenReceiver'
  }
}

const INSIDE_REASON = 'The address is private: set ALERTS_ALLOW_PRIVATE=on to send messages there.'
const OWN_REASON = 'The address is this server: set ALERTS_ALLOW_PRIVATE=on to send messages there.'

/** Returns the reason for blocking, or null. */
export function selectRefusal(address: string, own: ReadonlySet<string>): string | null {
  if (isInside(address)) return INSIDE_REASON
  return own.has(toReached(address) ?? '') ? OWN_REASON : null
}

/** Host names are checked at look-up. */
export function selectUrlRefusal(
  url: URL,
  own: ReadonlySet<string>,
  ownOrigin: string | null = null,
): string | null {
  if (url.origin === ownOrigin) return OWN_REASON
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? null : selectRefusal(host, own)
}

/**
 * Fails if a name resolves to a blocked address. The socket connects to this result, so DNS
 * rebinding has no effect.
 */
export const createOutsideLookup =
  (own: () => ReadonlySet<string>, lookup: LookupFunction = lookupInSystem): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, options, (error, address, family) => {
      const known = own()
      const refusal = error
        ? null
        : (toAddresses(address)
            .map((one) => selectRefusal(one, known))
            .find((one) => one !== null) ?? null)
      if (refusal === null) callback(error, address, family)
      else callback(new ForbiddenReceiver(refusal), '', 0)
    })
  }

const noop = () => {}

/** Of a request that is refused before it is sent. */
const NOT_SENT: Dispatcher.DispatchController = {
  aborted: true,
  paused: false,
  reason: null,
  abort: noop,
  pause: noop,
  resume: noop,
}

/**
 * Checks the name of each tunnel and has the proxy connect to the checked address, so that what the
 * name is for the proxy has no effect.
 */
export const checkTunnels =
  (lookup: LookupFunction): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) => {
    const [, name = '', port = ''] = /^\[?(.*?)\]?:(\d+)$/.exec(options.path) ?? []
    lookup(name, { all: true }, (error, found) => {
      const addresses = error ? [] : toAddresses(found)
      const [address] = addresses.toSorted((a, b) => isIP(a) - isIP(b))
      if (address === undefined) {
        handler.onResponseError?.(NOT_SENT, error ?? new ForbiddenReceiver(INSIDE_REASON))
        return
      }
      const path = isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`
      dispatch({ ...options, path, headers: { ...options.headers, host: path } }, handler)
    })
    return true
  }

const toAddresses = (address: string | LookupAddress[]) =>
  typeof address === 'string' ? [address] : address.map((one) => one.address)
