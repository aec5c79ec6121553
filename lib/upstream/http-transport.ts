import { type LookupAddress, lookup as lookupInSystem } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { TransportFailure, toTransportFailure } from './failures.ts'
import type { Transport } from './upstream.ts'

const DEFAULTS = {
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 10_000,
  /** Between two pieces of a body. */
  bodyTimeoutMs: 30_000,
  maxHeaderBytes: 16_384,
  connections: 4,
}
type HttpTransportOptions = Partial<typeof DEFAULTS> & {
  /** How names are looked up, where not by the system. */
  lookup?: LookupFunction
  /** Certificates to trust, PEM, in place of those that the process trusts. */
  trusted?: string
}

/** A transport over sockets. `close` breaks off what is under way and frees the connections. */
export type HttpTransport = Transport & { close(): Promise<void> }

/**
 * Carries requests over HTTP/1.1. Follows no redirect and decodes nothing, though it asks for gzip. The body is read
 * from the socket only as fast as it is taken; cancelling it destroys the socket. Certificates are always checked, and
 * so is where a public name leads. Throws `TransportFailure`.
 */
export function createHttpTransport(options: HttpTransportOptions = {}): HttpTransport {
  const limits = { ...DEFAULTS, ...options }
  const agent = new Agent({
    connect: createConnector(limits),
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.bodyTimeoutMs,
    maxHeaderSize: limits.maxHeaderBytes,
    connections: limits.connections,
    pipelining: 1,
  })
  const transport = async (request: Request): Promise<Response> => {
    try {
      const { origin, pathname, search } = new URL(request.url)
      const answer = await agent.request({
        origin,
        path: `${pathname}${search}`,
        method: toMethod(request.method),
        headers: { 'accept-encoding': 'gzip', ...Object.fromEntries(request.headers) },
        signal: request.signal,
      })
      return toResponse(answer)
    } catch (error) {
      throw toTransportFailure(error)
    }
  }
  return Object.assign(transport, { close: () => agent.destroy() })
}

function createConnector(options: HttpTransportOptions): buildConnector.connector {
  const { connectTimeoutMs: timeout, lookup, trusted: ca } = options
  // Said, because a variable of the environment turns the check off where nothing is.
  const shared = { timeout, rejectUnauthorized: true, ...(ca ? { ca } : {}) }
  const guarded = buildConnector({ ...shared, lookup: createGuardedLookup(lookup) })
  const plain = buildConnector({ ...shared, ...(lookup ? { lookup } : {}) })
  return (target, callback) => {
    const connect = isGuarded(target.protocol, target.hostname) ? guarded : plain
    connect(target, callback)
  }
}

function toMethod(method: string): 'GET' | 'HEAD' {
  if (method === 'GET' || method === 'HEAD') return method
  throw new TransportFailure('unknown', 'Only GET and HEAD are sent to a service.')
}

const WITHOUT_BODY = [204, 205, 304]

function toResponse({ statusCode: status, headers, body }: Dispatcher.ResponseData): Response {
  // Without a listener, a connection that breaks while nobody reads would end the process.
  body.on('error', () => {})
  try {
    const isEmpty = WITHOUT_BODY.includes(status)
    const response = new Response(isEmpty ? null : toStream(body), {
      status,
      headers: toHeaders(headers),
    })
    if (isEmpty) body.destroy()
    return response
  } catch {
    // Response takes no status above 599, Headers no control characters.
    body.destroy()
    throw new TransportFailure('protocol', 'The service does not speak HTTP as it should.')
  }
}

function toHeaders(received: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers()
  for (const [name, values] of Object.entries(received)) {
    for (const value of [values ?? []].flat()) headers.append(name, value)
  }
  return headers
}

function toStream(body: Dispatcher.ResponseData['body']): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          controller.error(toTransportFailure(error))
        }
      },
      cancel: () => void body.destroy(),
    },
    { highWaterMark: 0 },
  )
}

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
function createGuardedLookup(lookup: LookupFunction = lookupInSystem): LookupFunction {
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
