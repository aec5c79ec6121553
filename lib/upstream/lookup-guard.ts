import { type LookupAddress, lookup as lookupInSystem } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { TransportFailure } from './transport-failure.ts'

/** Names that nobody else on the internet can hold: what they lead to is the operator's own. */
const OWN_NAMES =
  /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|test|home\.arpa)$/

/** This machine, and what is on its link only: where clouds keep the credentials of a machine. */
const NEAR = new BlockList()
NEAR.addSubnet('127.0.0.0', 8, 'ipv4')
NEAR.addSubnet('0.0.0.0', 8, 'ipv4')
NEAR.addSubnet('169.254.0.0', 16, 'ipv4')
NEAR.addAddress('::', 'ipv6')
NEAR.addAddress('::1', 'ipv6')
NEAR.addSubnet('fe80::', 10, 'ipv6')
NEAR.addAddress('fd00:ec2::254', 'ipv6')

/**
 * Whether the address behind a name is looked at: for https under a name that anybody can own. An address, a name
 * without a dot and one of the operator's own network may lead anywhere, since the operator chose it.
 */
export function isGuarded(protocol: string, hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  const isAddress = isIP(name.replace(/^\[|\]$/g, '')) !== 0
  return protocol === 'https:' && !isAddress && name.includes('.') && !OWN_NAMES.test(name)
}

/** A look-up for sockets that fails where a name leads, at this very moment, to this machine or its link. */
export function createGuardedLookup(lookup: LookupFunction = lookupInSystem): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, options, (error, address, family) => {
      if (!error && toAddresses(address).some(isNear)) callback(nearFailure(), '', 0)
      else callback(error, address, family)
    })
  }
}

const nearFailure = () =>
  new TransportFailure('unknown', 'The name of the service leads to this machine: it is not asked.')

const toAddresses = (address: string | LookupAddress[]) =>
  typeof address === 'string' ? [address] : address.map((one) => one.address)

/** Also where an address of version 4 is written as one of version 6. */
function isNear(address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  return NEAR.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}
