import { type LookupAddress, lookup as lookupInSystem } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { parseIpAddress, toReachedAddress } from '#lib/http/ip-address.ts'

/**
 * Addresses that are of no use to anybody but those inside a network, or of none at all: whoever may name a webhook could make the
 * process knock there in his place. IANA's registries of special addresses, RFC 6890.
 */
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
/** Of version 6 only what is given to somebody in the internet is outside; some of that is not. */
const GIVEN = new BlockList()
GIVEN.addSubnet('2000::', 3, 'ipv6')
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  // Both hold an address of version 4.
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  INSIDE.addSubnet(network, bits, 'ipv6')
}

/** Whether an address is inside the network: this machine, a private network, a link, or nobody's. */
export function isInside(address: string): boolean {
  const reached = toReached(address)
  if (reached === null) return true
  if (isIP(reached) === 4) return INSIDE.check(reached, 'ipv4')
  return !GIVEN.check(reached, 'ipv6') || INSIDE.check(reached, 'ipv6')
}

/** The one form of the address that a connection to this one ends at; null for text that is no address. */
function toReached(address: string): string | null {
  const canonical = parseIpAddress(address)
  return canonical && toReachedAddress(canonical)
}

/** Addresses of this machine, under which this very process may answer. Canonical. */
export const selectOwnAddresses = (): ReadonlySet<string> =>
  new Set(
    Object.values(networkInterfaces()).flatMap((list) =>
      (list ?? []).flatMap(({ address }) => toReached(address) ?? []),
    ),
  )

/** The receiver is one that this process may not talk to. */
export class ForbiddenReceiver extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ForbiddenReceiver'
  }
}

const INSIDE_REASON =
  'The address is inside the network: nothing is sent there unless ALERTS_ALLOW_PRIVATE is on.'
const OWN_REASON =
  'The address is our own: nothing is sent there unless ALERTS_ALLOW_PRIVATE is on.'

/** Why nothing is sent to an address of the internet protocol; null where it may be. */
export function selectRefusal(address: string, own: ReadonlySet<string>): string | null {
  if (isInside(address)) return INSIDE_REASON
  return own.has(toReached(address) ?? '') ? OWN_REASON : null
}

/** Why nothing is sent to a URL, as far as it says that itself: a name is looked at when it is resolved. */
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
 * A look-up for sockets that fails where a name leads inside: it is what the socket connects to, so a name that leads elsewhere the
 * second time it is asked for gains nothing.
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

const toAddresses = (address: string | LookupAddress[]) =>
  typeof address === 'string' ? [address] : address.map((one) => one.address)
