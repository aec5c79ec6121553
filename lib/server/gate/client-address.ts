import 'server-only'
import type { IncomingMessage } from 'node:http'
import { BlockList } from 'node:net'
import { parseIpAddress } from '#lib/http/ip-address.ts'

/** Tells the addresses of some proxies from others; takes canonical addresses. */
export type IsProxy = (address: string) => boolean

/** Addresses and networks, each checked to be one. */
export function createNetworks(listed: readonly string[]): IsProxy {
  const known = new BlockList()
  for (const text of listed) {
    const [given = '', prefix] = text.split('/')
    const address = parseIpAddress(given) ?? given
    const givenBits = given.includes(':') ? 128 : 32
    const bits = toBits(address)
    // Of an IPv4-mapped network the first 96 bits are the mapping.
    const length = Math.max(0, Number(prefix ?? givenBits) - (givenBits - bits))
    known.addSubnet(address, length, toFamily(address))
  }
  return (address) => address !== '' && known.check(address, toFamily(address))
}

const toBits = (address: string) => (address.includes(':') ? 128 : 32)
const toFamily = (address: string) => (address.includes(':') ? 'ipv6' : 'ipv4')

/** The far end of a connection; empty once it is closed. */
const toPeer = ({ socket }: IncomingMessage) => parseIpAddress(socket.remoteAddress ?? '') ?? ''

/** Whether a request came straight from a trusted proxy. */
export const isFromProxy = (request: IncomingMessage, isProxy: IsProxy) => isProxy(toPeer(request))

const FORWARDED = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded']

/**
 * The canonical address of the client: the far end of the connection, or the one that a trusted proxy names. If the proxy's
 * headers cannot be read, or the two differ, the request counts as the proxy's own, since the client may have written one of
 * them. Removes the headers of anybody else from the request.
 */
export function toClient(request: IncomingMessage, isProxy: IsProxy): string {
  const { headers } = request
  const peer = toPeer(request)
  if (!isProxy(peer)) {
    for (const name of FORWARDED) delete headers[name]
    return peer
  }
  const named = [
    selectClient(headers['x-forwarded-for'], parseNode, isProxy),
    selectClient(headers.forwarded, parseElement, isProxy),
  ].filter((one) => one !== undefined)
  const [client] = named
  return client && named.every((one) => one === client) ? client : peer
}

/**
 * The last hop in a list that is no proxy: what is before it was written by the client. null if a hop after it cannot be
 * read, or if all are proxies; undefined without the header.
 */
function selectClient(
  header: string | string[] | undefined,
  parse: (hop: string) => string | null,
  isProxy: IsProxy,
): string | null | undefined {
  if (header === undefined) return undefined
  for (const hop of String(header).split(',').reverse()) {
    const address = parse(hop)
    if (address === null || !isProxy(address)) return address
  }
  return null
}

const WORD = /^[ \t]*([^ \t]*)[ \t]*$/
const BRACKETS = /^\[(.*)\]$/
const PORT = /:(?:\d{1,5}|_[\w.-]+)$/

/** An address with or without brackets and port; null for `unknown` and whatever else hides one. */
function parseNode(text: string): string | null {
  const node = WORD.exec(text)?.[1] ?? ''
  const bare = node.replace(PORT, '')
  return parseIpAddress(node) ?? parseIpAddress(BRACKETS.exec(bare)?.[1] ?? bare)
}

const FOR = /^[ \t]*for=(?:"([^"\\]*)"[ \t]*|([^"]*))$/i

/** The node of one element of `Forwarded`; null unless it has exactly one. */
function parseElement(element: string): string | null {
  const [node, ...others] = element.split(';').flatMap((pair) => {
    const [, quoted, plain] = FOR.exec(pair) ?? []
    return quoted ?? plain ?? []
  })
  return node === undefined || others.length > 0 ? null : parseNode(node)
}
