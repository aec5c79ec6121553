import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, isIP, type LookupFunction } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { NO_PROXIES } from '#lib/http/proxied-agent.ts'
import { openReceiver, type Receiver, SECRET } from '#testing/alerts/open-receiver.ts'
import { openForwardProxy } from '#testing/forward-proxy.ts'
import { listenOnLoopback } from '#testing/loopback.ts'
import { makeCertificate } from '#testing/upstream/certificates.ts'
import { createDeliverer, type DeliverOptions } from './deliver.ts'
import { createOutsideLookup, ForbiddenReceiver } from './receivers.ts'

let receiver: Receiver
const now = () => Math.floor(Date.now() / 1000)

beforeAll(async () => {
  receiver = await openReceiver()
})
afterAll(() => receiver.close())
beforeEach(async () => {
  await receiver.become('well')
  await receiver.forget()
})

async function send(
  url = receiver.url,
  options: Partial<DeliverOptions> = {},
  body = '{"type":"x"}',
) {
  const deliverer = createDeliverer({ allowsPrivate: true, ...options })
  try {
    const target = { url: new URL(url), secret: SECRET }
    return await deliverer.deliver(target, { id: 'msg_1', body }, { at: now() })
  } finally {
    await deliverer.close()
  }
}

describe('a message that is sent', () => {
  test('is signed as the standard says, by its own check', async () => {
    expect(await send()).toEqual({ delivered: true, status: 200 })
    const { got } = await receiver.read()
    expect(got).toMatchObject([
      {
        id: 'msg_1',
        method: 'POST',
        url: '/hook',
        isSigned: true,
        isFresh: true,
        body: { type: 'x' },
      },
    ])
    expect(got[0]?.headers).toMatchObject({ 'content-type': 'application/json' })
  })

  test('follows no redirect', async () => {
    await receiver.become('redirecting')
    const before = (await receiver.read()).requests
    expect(await send()).toMatchObject({
      delivered: false,
      status: 307,
      isFinal: false,
      reason: 'It answered with a redirect (307); redirects are not followed.',
    })
    expect((await receiver.read()).requests).toBe(before + 1)
  })

  test('is not waited for longer than the deadline', async () => {
    await receiver.become('stalling')
    let isPatientOver = false
    void send(receiver.url, { deadlineMs: 100_000 }).then(() => {
      isPatientOver = true
    })
    expect(await send(receiver.url, { deadlineMs: 300 })).toMatchObject({
      delivered: false,
      status: null,
      isFinal: false,
      reason: 'It did not answer in time.',
    })
    expect(isPatientOver).toBe(false)
  })

  test('reads next to nothing of an answer of a gigabyte', async () => {
    await receiver.become('flooding')
    expect(await send()).toEqual({ delivered: true, status: 200 })
    const { got, flooded = 0 } = await receiver.read()
    expect(got).toHaveLength(1)
    expect(flooded).toBeLessThan(64)
  })

  test('takes one connection, also where its answer is cut off', async () => {
    const counts = { connections: 0 }
    const server = createServer((_, response) => response.writeHead(200).write('and so on'))
    server.on('connection', () => {
      counts.connections += 1
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const deliverer = createDeliverer({ allowsPrivate: true })
    const target = { url: new URL(`http://127.0.0.1:${port}/`), secret: SECRET }
    for (let id = 0; id < 8; id += 1) {
      const message = { id: `msg_${id}`, body: '{}' }
      expect(await deliverer.deliver(target, message, { at: now() })).toMatchObject({ status: 200 })
    }
    await deliverer.close()
    expect(counts.connections).toBe(8)
  })

  test('is interrupted when the sender closes', async () => {
    await receiver.become('stalling')
    const deliverer = createDeliverer({ allowsPrivate: true })
    const target = { url: new URL(receiver.url), secret: SECRET }
    const attempt = deliverer.deliver(target, { id: 'msg_1', body: '{}' }, { at: now() })
    await deliverer.close()
    expect(await attempt).toMatchObject({ delivered: false, isFinal: false })
  })

  test('says of a refusal whether it may be tried again, and when', async () => {
    await receiver.become('busy')
    expect(await send()).toMatchObject({ status: 429, isFinal: false, waitSeconds: 7200 })
    await receiver.become('failing')
    expect(await send()).toMatchObject({ status: 500, isFinal: false, waitSeconds: 0 })
    await receiver.become('bad')
    expect(await send()).toMatchObject({
      status: 400,
      isFinal: true,
      reason: 'It refused the message (400).',
    })
    await receiver.become('gone')
    expect(await send()).toMatchObject({ status: 410, isFinal: true })
    await receiver.become('deaf')
    expect(await send()).toMatchObject({ status: null, isFinal: false })
  })

  test('says that nobody answers', async () => {
    const reason = 'Its address does not respond.'
    expect(await send('http://127.0.0.1:9/')).toMatchObject({ delivered: false, reason })
  })
})

describe('where messages may go outside only', () => {
  const outside = { allowsPrivate: false }
  const refused = { delivered: false, status: null, isFinal: true }

  test.each([
    '127.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '2130706433',
    '0x7f.1',
    '127.0.0.1.',
    'localhost',
  ])('nothing is sent to this machine as %s', async (host) => {
    const before = (await receiver.read()).requests
    expect(await send(`http://${host}:${receiver.port}/hook`, outside)).toMatchObject(refused)
    expect((await receiver.read()).requests).toBe(before)
  })

  test('a name that resolves to an internal address is refused when the socket connects, whatever it resolved to before', async () => {
    const answers = ['93.184.215.14', '127.0.0.1']
    const asked: string[] = []
    const lookup: LookupFunction = (_name, options, callback) => {
      const address = answers[Math.min(asked.length, 1)] ?? ''
      asked.push(address)
      if (options.all) callback(null, [{ address, family: 4 }])
      else callback(null, address, 4)
    }
    lookup('rebinding.example', {}, () => {})
    const url = `http://rebinding.example:${receiver.port}/hook`
    expect(await send(url, { ...outside, lookup })).toMatchObject({
      ...refused,
      reason: 'The address is private: set ALERTS_ALLOW_PRIVATE=on to send messages there.',
    })
    expect(asked).toHaveLength(2)
    expect((await receiver.read()).got).toEqual([])
  })

  test('the address that was checked is the one that the socket connects to', async () => {
    const answers = ['93.184.215.14', '127.0.0.1', '10.0.0.7']
    const lookup: LookupFunction = (_name, _options, callback) =>
      callback(null, [{ address: answers.shift() ?? '127.0.0.1', family: 4 }])
    const guarded = createOutsideLookup(() => new Set(), lookup)
    const connectTo = () =>
      new Promise((resolve) => {
        guarded('rebinding.example', { all: true }, (error, address) => resolve(error ?? address))
      })
    expect(await connectTo()).toEqual([{ address: '93.184.215.14', family: 4 }])
    expect(await connectTo()).toBeInstanceOf(ForbiddenReceiver)
    expect(await connectTo()).toBeInstanceOf(ForbiddenReceiver)
  })

  test('a name is looked up once for each attempt', async () => {
    let lookups = 0
    const lookup: LookupFunction = (_name, _options, callback) => {
      lookups += 1
      callback(null, [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.9', family: 4 }])
    }
    const url = `http://rebinding.example:${receiver.port}/hook`
    expect(await send(url, { allowsPrivate: true, lookup })).toMatchObject({ delivered: true })
    expect(lookups).toBe(1)
  })

  test('one inner address among several is enough to refuse a name', async () => {
    const lookup: LookupFunction = (_name, _options, callback) =>
      callback(null, [
        { address: '93.184.215.14', family: 4 },
        { address: '10.0.0.7', family: 4 },
      ])
    const url = `http://both.example:${receiver.port}/hook`
    expect(await send(url, { ...outside, lookup })).toMatchObject(refused)
  })

  test('our own address is refused by the name that readers use', async () => {
    const ownOrigin = 'https://ratings.example'
    expect(await send('https://ratings.example/api/sync', { ...outside, ownOrigin })).toMatchObject(
      {
        ...refused,
        reason: 'The address is this server: set ALERTS_ALLOW_PRIVATE=on to send messages there.',
      },
    )
  })
})

describe('through a proxy', () => {
  const leadingTo =
    (...addresses: string[]): LookupFunction =>
    (_name, _options, callback) =>
      callback(
        null,
        addresses.map((address) => ({ address, family: isIP(address) })),
      )
  const throughProxy = async (port: number, options: Partial<DeliverOptions> = {}) => {
    const proxy = await openForwardProxy({ port })
    const proxies = { ...NO_PROXIES, httpProxy: proxy.url }
    return { proxy, options: { allowsPrivate: false, proxies, ...options } }
  }

  test.each([
    [['93.184.215.14'], '93.184.215.14:80'],
    [['2606:4700::1111', '93.184.215.14'], '93.184.215.14:80'],
    [['2606:4700::1111'], '[2606:4700::1111]:80'],
  ])('a message goes to the checked address of %s', async (addresses, authority) => {
    const { proxy, options } = await throughProxy(receiver.port, {
      lookup: leadingTo(...addresses),
    })
    expect(await send('http://hooks.example/hook', options)).toEqual({
      delivered: true,
      status: 200,
    })
    expect(proxy.requests).toEqual([`CONNECT ${authority}`])
    const { got } = await receiver.read()
    expect(got).toMatchObject([{ method: 'POST', url: '/hook', isSigned: true }])
    expect(got[0]?.headers.host).toBe('hooks.example')
  })

  test.each([
    ['hooks.example', 'hooks.example', 200],
    ['other.example', 'hooks.example', null],
  ])('the certificate of %s is checked against the name %s', async (name, host, status) => {
    const issuer = makeCertificate({ name: 'An authority', isAuthority: true })
    const { cert, key } = makeCertificate({ name, issuer })
    const server = createTlsServer({ cert, key }, (_, response) => response.end())
    server.on('tlsClientError', () => {})
    const { port, close } = await listenOnLoopback(server)
    onTestFinished(close)
    const lookup = leadingTo('93.184.215.14')
    const { proxy, options } = await throughProxy(port, { lookup, trusted: issuer.cert })
    expect(await send(`https://${host}/hook`, options)).toMatchObject({ status })
    expect(proxy.requests).toEqual(['CONNECT 93.184.215.14:443'])
  })

  test.each([
    ['http://hooks.example/hook', ['10.0.0.7']],
    ['https://hooks.example/hook', ['93.184.215.14', '127.0.0.1']],
    ['https://169.254.169.254/hook', []],
    ['http://[::1]/hook', []],
  ])('%s at %j is refused before the proxy is asked', async (url, addresses) => {
    const lookup = leadingTo(...addresses)
    const { proxy, options } = await throughProxy(receiver.port, { lookup })
    expect(await send(url, options)).toMatchObject({
      delivered: false,
      isFinal: true,
      reason: 'The address is private: set ALERTS_ALLOW_PRIVATE=on to send messages there.',
    })
    expect(proxy.requests).toEqual([])
  })

  test('a name that this server cannot resolve is not left to the proxy', async () => {
    const lookup: LookupFunction = (name, _options, callback) =>
      callback(Object.assign(new Error(name), { code: 'ENOTFOUND' }), '', 0)
    const { proxy, options } = await throughProxy(receiver.port, { lookup })
    expect(await send('http://hooks.example/hook', options)).toMatchObject({
      delivered: false,
      isFinal: false,
      reason: 'Its host name does not exist.',
    })
    expect(proxy.requests).toEqual([])
  })

  test('the proxy resolves names where private receivers are allowed', async () => {
    const { proxy, options } = await throughProxy(receiver.port, { allowsPrivate: true })
    expect(await send('http://hooks.internal/hook', options)).toMatchObject({ delivered: true })
    expect(proxy.requests).toEqual(['CONNECT hooks.internal:80'])
  })

  test('receivers of NO_PROXY are reached directly, by the same rules', async () => {
    const lookup = leadingTo('127.0.0.1')
    const { proxy, options } = await throughProxy(9)
    const proxies = { ...options.proxies, noProxy: 'hooks.example' }
    const url = `http://hooks.example:${receiver.port}/hook`
    expect(await send(url, { proxies, lookup })).toMatchObject({ delivered: true })
    expect(await send(url, { proxies, lookup, allowsPrivate: false })).toMatchObject({
      delivered: false,
      isFinal: true,
    })
    expect(proxy.requests).toEqual([])
  })

  test('a proxy that refuses is named', async () => {
    const proxy = await openForwardProxy({ port: 9, refuses: 403 })
    const proxies = { ...NO_PROXIES, httpProxy: proxy.url }
    expect(await send('http://hooks.example/hook', { proxies })).toMatchObject({
      delivered: false,
      isFinal: false,
      reason: 'The proxy refuses to connect to it.',
    })
  })
})
