import 'server-only'
import type { IncomingMessage } from 'node:http'
import { BlockList } from 'node:net'
import { LRUCache } from 'lru-cache'
import { parseIpAddress } from '#lib/http/ip-address.ts'

export type IsProxy = (address: string) => boolean

export function createNetworks(listed: readonly string[]): IsProxy {
  const known = new BlockList()
  for (const text of listed) {
    const [given = '', prefix] = text.split('/')
    const address = parseIpAddress(given) ?? given
    const givenBits = given.includes(':') ? 128 : 32
    const bits = toBits(address)
    // An IPv4-mapped prefix includes 96 bits of mapping.
    const length = Math.max(0, Number(prefix ?? givenBits) - (givenBits - bits))
    known.addSubnet(address, length, toFamily(address))
  }
  // Checking takes longer than everything else before a cached page.
  const verdicts = new LRUCache<string, boolean>({ max: VERDICTS_MAX })
  return (address) => {
    if (address === '') return false
    const verdict = verdicts.get(address) ?? known.check(address, toFamily(address))
    verdicts.set(address, verdict)
    return verdict
  }
}

const VERDICTS_MAX = 1000

const toBits = (address: string) => (address.includes(':') ? 128 : 32)
const toFamily = (address: string) => (address.includes(':') ? 'ipv6' : 'ipv4')

const toPeer = ({ socket }: IncomingMessage) => parseIpAddress(socket.remoteAddress ?? '') ?? ''

export const isFromProxy = (request: IncomingMessage, isProxy: IsProxy) => isProxy(toPeer(request))

const FORWARDED = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded']

/**
 * If headers of trusted proxies are unreadable or disagree, the client may have forged one, so the
 * request counts as the proxy's own.
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
 * The last hop that is not a proxy: earlier ones are client-controlled. Null if unreadable;
 * undefined without the header.
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

/** Null for `unknown` and obfuscated nodes. */
function parseNode(text: string): string | null {
  const node = WORD.exec(text)?.[1] ?? ''
  const bare = node.replace(PORT, '')
  return parseIpAddress(node) ?? parseIpAddress(BRACKETS.exec(bare)?.[1] ?? bare)
}

const FOR = /^[ \t]*for=(?:"([^"\\]*)"[ \t]*|([^"]*))$/i

function parseElement(element: string): string | null {
  const [node, ...others] = element.split(';').flatMap((pair) => {
    const [, quoted, plain] = FOR.exec(pair) ?? []
    return quoted ?? plain ?? []
  })
  return node === undefined || others.length > 0 ? null : parseNode(node)
}
