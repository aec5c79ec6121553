import { createServer } from 'node:https'
import type { AddressInfo, LookupFunction } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type Certificate, makeCertificate } from './certificates.test-support.ts'
import { createHttpTransport } from './http-transport.ts'
import { anEnvelope, listen, openClient, rejection } from './scripted-service.test-support.ts'

const HOST = 'ratings.test'
const authority = makeCertificate({ name: 'An authority', isAuthority: true })

const toHere: LookupFunction = (_, options, callback) => {
  if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }])
  else callback(null, '127.0.0.1', 4)
}

/** A client that trusts the authority, of a service that shows a certificate. */
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
  return { ...client, asked }
}

async function openTrusting(baseUrl: URL) {
  const transport = createHttpTransport({ lookup: toHere, trusted: authority.cert })
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
      message: 'The certificate of the service is not to be trusted.',
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

test('plain HTTP where TLS should be ends the call', async () => {
  const { baseUrl, requests } = await listen((_, response) => response.end(anEnvelope([])))
  const { upstream, sleeps } = await openTrusting(new URL(`https://${HOST}:${baseUrl.port}`))
  expect(await rejection(upstream.fetchPage(1))).toMatchObject({
    message: 'The service does not speak TLS as it should.',
  })
  expect(requests).toEqual([])
  expect(sleeps).toEqual([])
})
