import { createServer } from 'node:https'
import type { AddressInfo, LookupFunction } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { NO_PROXIES } from '#lib/http/proxied-agent.ts'
import { openForwardProxy } from '#testing/forward-proxy.ts'
import { type Certificate, makeCertificate } from '#testing/upstream/certificates.ts'
import {
  anEnvelope,
  listen,
  listenRaw,
  openClient,
  rejection,
} from '#testing/upstream/scripted-service.ts'
import { createHttpTransport, isGuarded } from './http-transport.ts'

function open(options?: Parameters<typeof createHttpTransport>[0]) {
  const transport = createHttpTransport(options)
  onTestFinished(() => transport.close())
  return transport
}

test('a body comes as it was sent: encoded, with the headers that speak of it', async () => {
  const bytes = gzipSync('hello')
  const { baseUrl } = await listen((request, response) => {
    const headers = {
      'content-encoding': 'gzip',
      'content-length': bytes.length,
      'x-asked': request.headers['accept-encoding'],
    }
    response.writeHead(203, { ...headers, 'set-cookie': ['a=1', 'b=2'] }).end(bytes)
  })
  const answer = await open()(new Request(baseUrl))
  expect(answer.status).toBe(203)
  expect(answer.headers.get('content-encoding')).toBe('gzip')
  expect(answer.headers.get('content-length')).toBe(String(bytes.length))
  expect(answer.headers.get('x-asked')).toBe('gzip')
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes)
})

test('nothing but GET and HEAD is carried', async () => {
  const { baseUrl, requests } = await listen((_, response) => response.end())
  const error = await rejection(open()(new Request(baseUrl, { method: 'POST' })))
  expect(error).toMatchObject({ name: 'TransportFailure', kind: 'unknown' })
  expect(requests).toEqual([])
})

test.each([204, 205, 304])('a %i has no body', async (status) => {
  const { baseUrl } = await listen((_, response) => response.writeHead(status).end())
  expect((await open()(new Request(baseUrl))).body).toBe(null)
})

test('a body is taken from the socket only as fast as it is read, and ends with its reader', async () => {
  let sent = 0
  const { baseUrl, open: opened } = await listenRaw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n')
    const piece = Buffer.alloc(65_536)
    const pour = () => {
      while (!socket.destroyed && sent < 500_000_000) {
        sent += piece.length
        if (!socket.write(piece)) return void socket.once('drain', pour)
      }
    }
    pour()
  })
  const reader = (await open()(new Request(baseUrl))).body?.getReader()
  for (let count = 0; count < 3; count += 1) expect((await reader?.read())?.done).toBe(false)
  let before = -1
  await expect
    .poll(
      () => {
        const stood = sent === before
        before = sent
        return stood
      },
      { interval: 30 },
    )
    .toBe(true)
  expect(sent).toBeLessThan(50_000_000)
  await reader?.cancel()
  await expect.poll(opened).toBe(0)
})

test('no more connections are opened than allowed', async () => {
  let most = 0
  let now = 0
  const { baseUrl } = await listen((_, response) => {
    now += 1
    most = Math.max(most, now)
    setTimeout(() => {
      now -= 1
      response.end()
    }, 5)
  })
  const transport = open({ connections: 2 })
  const asked = Array.from({ length: 8 }, async () =>
    (await transport(new Request(baseUrl))).text(),
  )
  await Promise.all(asked)
  expect(most).toBe(2)
})

const leadingTo =
  (...addresses: string[]): LookupFunction =>
  (_, options, callback) => {
    const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const first = all[0] ?? { address: '', family: 4 }
    if (options.all) callback(null, all)
    else callback(null, first.address, first.family)
  }

async function openWith(baseUrl: URL, lookup: LookupFunction) {
  const transport = createHttpTransport({ lookup, connectTimeoutMs: 500 })
  onTestFinished(() => transport.close())
  return await openClient({ baseUrl, transport, timeLimits: { headersMs: 5000, callMs: 15_000 } })
}

test.each([
  ['127.0.0.1'],
  ['127.8.9.10'],
  ['0.0.0.0'],
  ['169.254.169.254'],
  ['::1'],
  ['::'],
  ['fe80::1'],
  ['fe80::1%lo'],
  ['::ffff:127.0.0.1'],
  ['::ffff:169.254.169.254'],
  ['192.0.2.7', '127.0.0.1'],
])('a public name that leads to %s %s is not connected to', async (...addresses) => {
  const { baseUrl, requests } = await listen((_, response) => response.end(anEnvelope([])))
  const url = new URL(`https://ratings.example.com:${baseUrl.port}`)
  const { upstream, sleeps } = await openWith(url, leadingTo(...addresses))
  expect(await rejection(upstream.fetchPage(1))).toMatchObject({
    fault: 'upstream_unavailable',
    message: 'The service’s host name resolves to this machine. No request is sent.',
  })
  expect(requests).toEqual([])
  expect(sleeps).toEqual([])
})

test('what a name leads to is looked at for each connection, not once', async () => {
  let looked = 0
  const flipping: LookupFunction = (name, options, callback) => {
    looked += 1
    leadingTo(looked === 1 ? '192.0.2.1' : '127.0.0.1')(name, options, callback)
  }
  const { upstream } = await openWith(new URL('https://ratings.example.com:9'), flipping)
  const messages = []
  for (let call = 0; call < 2; call += 1) {
    messages.push(((await rejection(upstream.fetchPage(1))) as Error).message)
  }
  expect(messages.at(-1)).toBe(
    'The service’s host name resolves to this machine. No request is sent.',
  )
})

test('an operator may have a service on this machine or network, by address or by a name of their own', async () => {
  const { baseUrl, requests } = await listen((_, response) => response.end(anEnvelope([])))
  const here = leadingTo('127.0.0.1')
  for (const host of ['127.0.0.1', 'localhost', 'ratings', 'ratings.lan', 'ratings.example.com']) {
    const { upstream } = await openWith(new URL(`http://${host}:${baseUrl.port}/service`), here)
    await upstream.fetchPage(1)
  }
  expect(requests).toHaveLength(5)
})

test.each([
  ['https:', 'ratings.example.com', true],
  ['https:', 'Ratings.Example.Com.', true],
  ['https:', 'localhost.example.com', true],
  ['http:', 'ratings.example.com', false],
  ['https:', 'localhost', false],
  ['https:', 'ratings', false],
  ['https:', 'ratings.local', false],
  ['https:', 'ratings.home.arpa', false],
  ['https:', 'ratings.svc.cluster.local', false],
  ['https:', '169.254.169.254', false],
  ['https:', '[fe80::1]', false],
])('%s//%s: guarded is %s', (protocol, hostname, guarded) => {
  expect(isGuarded(protocol, hostname)).toBe(guarded)
})

const HOST = 'ratings.test'
const authority = makeCertificate({ name: 'An authority', isAuthority: true })

const toHere: LookupFunction = (_, options, callback) => {
  if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }])
  else callback(null, '127.0.0.1', 4)
}

async function openBehind({ cert, key }: Pick<Certificate, 'cert' | 'key'>) {
  const asked: string[] = []
  const server = createServer({ cert, key }, (request, response) => {
    asked.push(request.url ?? '')
    response.end(anEnvelope([]))
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const client = await openTrusting(new URL(`https://${HOST}:${port}`))
  return { ...client, asked, port }
}

async function openTrusting(baseUrl: URL, options: Parameters<typeof createHttpTransport>[0] = {}) {
  const transport = createHttpTransport({ lookup: toHere, trusted: authority.cert, ...options })
  onTestFinished(() => transport.close())
  const timeLimits = { headersMs: 5000, callMs: 10_000 }
  return await openClient({ baseUrl, transport, timeLimits })
}

test('a certificate of a trusted authority for the name that was called is taken', async () => {
  const { upstream, asked } = await openBehind(makeCertificate({ name: HOST, issuer: authority }))
  await upstream.fetchPage(1)
  expect(asked).toHaveLength(1)
})

const stranger = makeCertificate({ name: 'A stranger', isAuthority: true })
const UNTRUSTED: [string, Certificate][] = [
  ['has expired', makeCertificate({ name: HOST, issuer: authority, from: -9, until: -1 })],
  ['is not valid yet', makeCertificate({ name: HOST, issuer: authority, from: 1, until: 9 })],
  ['is for another host', makeCertificate({ name: 'other.test', issuer: authority })],
  ['signed itself', makeCertificate({ name: HOST })],
  ['comes from an authority that nobody knows', makeCertificate({ name: HOST, issuer: stranger })],
]
test.each(UNTRUSTED)(
  'a certificate that %s ends the call: no second attempt, and the key is never sent',
  async (_, certificate) => {
    const { upstream, asked, sleeps } = await openBehind(certificate)
    expect(await rejection(upstream.fetchPage(1))).toMatchObject({
      fault: 'upstream_unavailable',
      message: 'The service’s certificate is not trusted.',
    })
    expect(asked).toEqual([])
    expect(sleeps).toEqual([])
    expect(upstream.budget().month.used).toBe(1)
  },
)

test('no variable of the environment turns the check of certificates off', async () => {
  const { NODE_TLS_REJECT_UNAUTHORIZED: before } = process.env
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  onTestFinished(() => {
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
  })
  const { upstream, asked } = await openBehind(makeCertificate({ name: HOST }))
  expect(await rejection(upstream.fetchPage(1))).toMatchObject({ fault: 'upstream_unavailable' })
  expect(asked).toEqual([])
})

const toNowhere: LookupFunction = (name, _options, callback) =>
  callback(Object.assign(new Error(name), { code: 'ENOTFOUND' }), '', 0)

test('asks a proxy for a service of plain http, with the name that only the proxy knows', async () => {
  const { baseUrl, requests } = await listen((_, response) => response.end(anEnvelope([])))
  const proxy = await openForwardProxy({ port: Number(baseUrl.port) })
  const httpProxy = proxy.url.replace('//', '//ada:p%40ss@')
  const { upstream } = await openTrusting(new URL('http://ratings.example.com/service'), {
    proxies: { ...NO_PROXIES, httpProxy },
    lookup: toNowhere,
  })
  await upstream.fetchPage(1)
  await upstream.fetchPage(2)
  expect(requests).toHaveLength(2)
  expect(proxy.requests.map((line) => line.replace(/\?.*/, ''))).toEqual([
    'GET http://ratings.example.com/service/api/v1/posts',
    'GET http://ratings.example.com/service/api/v1/posts',
  ])
  const credentials = `Basic ${Buffer.from('ada:p@ss').toString('base64')}`
  expect(proxy.credentials).toEqual([credentials, credentials])
})

test('tunnels https through a proxy, which sees neither path nor key, and still checks certificates', async () => {
  for (const [name, message] of [
    [HOST, null],
    ['other.test', 'The service’s certificate is not trusted.'],
  ] as const) {
    const behind = await openBehind(makeCertificate({ name, issuer: authority }))
    const proxy = await openForwardProxy({ port: behind.port })
    const { upstream } = await openTrusting(new URL(`https://${HOST}`), {
      proxies: { ...NO_PROXIES, httpsProxy: proxy.url },
      lookup: toNowhere,
    })
    const outcome = upstream.fetchPage(1)
    if (message === null) await outcome
    else expect(await rejection(outcome)).toMatchObject({ message })
    expect(behind.asked).toHaveLength(message === null ? 1 : 0)
    expect(proxy.requests).toEqual([`CONNECT ${HOST}:443`])
  }
})

test.each(['ratings.test', '.test', 'other.example, ratings.test:*', '*'])(
  'connects directly to a host that NO_PROXY has as %s, and else not',
  async (noProxy) => {
    const { baseUrl } = await listen((_, response) => response.end(anEnvelope([])))
    const proxy = await openForwardProxy({ port: Number(baseUrl.port) })
    const proxies = {
      httpProxy: proxy.url,
      httpsProxy: '',
      noProxy: noProxy.replace(':*', `:${baseUrl.port}`),
    }
    for (const [host, count] of [
      [HOST, 0],
      ['ratings.example', noProxy === '*' ? 0 : 1],
    ] as const) {
      const { upstream } = await openTrusting(new URL(`http://${host}:${baseUrl.port}/`), {
        proxies,
      })
      await upstream.fetchPage(1)
      expect(proxy.requests).toHaveLength(count)
    }
  },
)

test.each(['http:', 'https:'])(
  'a proxy that refuses to connect by %s is named',
  async (protocol) => {
    const proxy = await openForwardProxy({ port: 9, refuses: 407 })
    const { upstream } = await openTrusting(new URL(`${protocol}//ratings.example.com/`), {
      proxies: { httpProxy: proxy.url, httpsProxy: proxy.url, noProxy: '' },
    })
    expect(await rejection(upstream.fetchPage(1))).toMatchObject({
      fault: 'upstream_unavailable',
      message: 'The proxy refuses to connect to the service.',
    })
  },
)
