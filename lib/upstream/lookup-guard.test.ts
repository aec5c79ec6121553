import type { LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpTransport } from './http-transport.ts'
import { isGuarded } from './lookup-guard.ts'
import { anEnvelope, listen, openClient, rejection } from './scripted-service.test-support.ts'

/** A look-up that leads every name to the same addresses. */
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
    message: 'The name of the service leads to this machine: it is not asked.',
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
  expect(messages.at(-1)).toBe('The name of the service leads to this machine: it is not asked.')
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

const hasVersion6 = Object.values(networkInterfaces()).some((one) =>
  one?.some(({ address }) => address === '::1'),
)

test.skipIf(!hasVersion6)('a service that is reached over version 6 alone is reached', async () => {
  const { baseUrl, requests } = await listen((_, response) => response.end(anEnvelope([])), '::1')
  const { upstream } = await openWith(
    new URL(`http://ratings.lan:${baseUrl.port}/service`),
    leadingTo('::1'),
  )
  await upstream.fetchPage(1)
  expect(requests).toHaveLength(1)
})

test('a look-up that fails is asked again, and told as a name that leads nowhere', async () => {
  for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL']) {
    const failing: LookupFunction = (_, _options, callback) =>
      callback(Object.assign(new Error('secret'), { code }), '', 0)
    const { upstream, sleeps } = await openWith(new URL('https://ratings.example.com'), failing)
    expect(await rejection(upstream.fetchPage(1))).toMatchObject({
      message: 'The name of the service cannot be looked up.',
    })
    expect(sleeps).toHaveLength(2)
  }
})
