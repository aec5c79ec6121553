import { type LookupAddress, lookup as lookupInSystem } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { buildConnector, type Dispatcher } from 'undici'
import { createProxiedAgent, NO_PROXIES, type Proxies } from '#lib/http/proxied-agent.ts'
import { TransportFailure, toTransportFailure } from './failures.ts'
import type { Transport } from './upstream.ts'

const DEFAULTS = {
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 10_000,
  bodyTimeoutMs: 30_000,
  maxHeaderBytes: 16_384,
  connections: 4,
}
type HttpTransportOptions = Partial<typeof DEFAULTS> & {
  proxies?: Proxies
  /** Of direct connections: a proxy looks names up itself. */
  lookup?: LookupFunction
  /** PEM. Replaces the defaults. */
  trusted?: string
}

type HttpTransport = Transport & { close(): Promise<void> }

/** No redirects, no decoding. Throws `TransportFailure`. */
export function createHttpTransport(options: HttpTransportOptions = {}): HttpTransport {
  const limits = { ...DEFAULTS, ...options }
  const { proxies = NO_PROXIES } = options
  const timeouts = { headersTimeout: limits.headersTimeoutMs, bodyTimeout: limits.bodyTimeoutMs }
  const tls = toTls(limits)
  const agent = createProxiedAgent({
    proxies,
    tlsOptions: tls,
    connect: createConnector(tls, options.lookup),
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
        ...timeouts,
      })
      return toResponse(answer)
    } catch (error) {
      throw toTransportFailure(error)
    }
  }
  return Object.assign(transport, { close: () => agent.destroy() })
}

type Tls = { timeout: number; rejectUnauthorized: true; ca?: string }

/** Explicit, since an environment variable could disable verification. */
const toTls = ({ connectTimeoutMs, trusted: ca }: typeof DEFAULTS & HttpTransportOptions): Tls => ({
  timeout: connectTimeoutMs,
  rejectUnauthorized: true,
  ...(ca ? { ca } : {}),
})

function createConnector(tls: Tls, lookup?: LookupFunction): buildConnector.connector {
  const guarded = buildConnector({ ...tls, lookup: createGuardedLookup(lookup) })
  const plain = buildConnector({ ...tls, ...(lookup ? { lookup } : {}) })
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
  // Prevents a crash when the connection breaks.
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
    // Response rejects a status above 599, Headers control characters.
    body.destroy()
    throw new TransportFailure('protocol', 'The response of the service is not valid HTTP.')
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

const OWN_NAMES =
  /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|test|home\.arpa)$/

/** Loopback and link-local, where clouds serve credentials. */
const NEAR = new BlockList()
NEAR.addSubnet('127.0.0.0', 8, 'ipv4')
NEAR.addSubnet('0.0.0.0', 8, 'ipv4')
NEAR.addSubnet('169.254.0.0', 16, 'ipv4')
NEAR.addAddress('::', 'ipv6')
NEAR.addAddress('::1', 'ipv6')
NEAR.addSubnet('fe80::', 10, 'ipv6')
NEAR.addAddress('fd00:ec2::254', 'ipv6')

/** The operator chose addresses and internal names, so only public names are checked. */
export function isGuarded(protocol: string, hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  const isAddress = isIP(name.replace(/^\[|\]$/g, '')) !== 0
  return protocol === 'https:' && !isAddress && name.includes('.') && !OWN_NAMES.test(name)
}

/** Checks at connect time, which defeats DNS rebinding. */
function createGuardedLookup(lookup: LookupFunction = lookupInSystem): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, options, (error, address, family) => {
      if (!error && toAddresses(address).some(isNear)) callback(nearFailure(), '', 0)
      else callback(error, address, family)
    })
  }
}

const nearFailure = () =>
  new TransportFailure(
    'unknown',
    'The service’s host name resolves to this machine. No request is sent.',
  )

const toAddresses = (address: string | LookupAddress[]) =>
  typeof address === 'string' ? [address] : address.map((one) => one.address)

function isNear(address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  return NEAR.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}
