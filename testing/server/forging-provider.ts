import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { listenOnLoopback } from '#testing/loopback.ts'

export type Forging = {
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  by?: 'own' | 'another' | 'nothing' | 'public key' | 'client secret'
}

/** Two keys, of which the provider publishes one. */
type KeyName = 'own' | 'another'

export type ForgingProvider = {
  issuer: URL
  says: Forging
  /** The published key. `own` by default. */
  publishes: KeyName
  /**
   * Path → answer: a text is HTML, null never answers, a number is a status. No `/userinfo` by
   * default.
   */
  instead: Record<string, object | string | null | number>
  requests: string[]
  forms: URLSearchParams[]
  close(): Promise<void>
}

export const CLIENT = { id: 'bellwether', secret: 'the-secret-of-the-client' }

const makeKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const own = makeKey()
const another = makeKey()

export async function openForgingProvider(nonce: () => string): Promise<ForgingProvider> {
  const server = createServer()
  const loopback = await listenOnLoopback(server)
  const issuer = `http://127.0.0.1:${loopback.port}`
  const provider: ForgingProvider = {
    issuer: new URL(issuer),
    says: {},
    publishes: 'own',
    instead: {},
    requests: [],
    forms: [],
    close: loopback.close,
  }
  let isClosed = false
  provider.close = async () => {
    if (!isClosed) await loopback.close()
    isClosed = true
  }
  onTestFinished(provider.close)
  server.on('request', async (request, response) => {
    const path = request.url ?? ''
    provider.requests.push(path)
    const form = new URLSearchParams(await text(request))
    if (path === '/token') provider.forms.push(form)
    const instead = provider.instead[path]
    if (instead !== undefined) return answer(response, instead)
    const answers: Record<string, () => object> = {
      '/.well-known/openid-configuration': () => ({
        ...toMetadata(issuer),
        ...('/userinfo' in provider.instead && { userinfo_endpoint: `${issuer}/userinfo` }),
      }),
      '/jwks': () => {
        const { publishes: kid } = provider
        const jwk = (kid === 'own' ? own : another).publicKey.export({ format: 'jwk' })
        return { keys: [{ ...jwk, kid, use: 'sig', alg: 'RS256' }] }
      },
      '/token': () => ({
        access_token: 'the-access-token',
        token_type: 'Bearer',
        id_token: forge({ issuer, nonce: nonce() }, provider.says),
      }),
    }
    answer(response, answers[path]?.() ?? 404)
  })
  return provider
}

const toMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256', 'none', 'HS256'],
})

function answer(response: ServerResponse, what: object | string | null | number): void {
  if (what === null) return
  if (typeof what === 'number') return void response.writeHead(what).end()
  const isHtml = typeof what === 'string'
  response
    .writeHead(200, { 'content-type': isHtml ? 'text/html' : 'application/json' })
    .end(isHtml ? what : JSON.stringify(what))
}

function forge(
  { issuer, nonce }: { issuer: string; nonce: string },
  { claims, header, by = 'own' }: Forging,
): string {
  const now = Math.floor(Date.now() / 1000)
  const alg = { own: 'RS256', another: 'RS256', nothing: 'none' }[by as string] ?? 'HS256'
  const said = { iss: issuer, aud: CLIENT.id, sub: '17', nonce, iat: now, exp: now + 60, ...claims }
  const parts = [{ alg, ...header }, said].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const signed = parts.join('.')
  return `${signed}.${toSignature(signed, by)}`
}

function toSignature(signed: string, by: Forging['by']): string {
  const byKey = (key: KeyObject) => sign('sha256', Buffer.from(signed), key).toString('base64url')
  const byText = (key: string) => createHmac('sha256', key).update(signed).digest('base64url')
  if (by === 'nothing') return ''
  if (by === 'client secret') return byText(CLIENT.secret)
  if (by === 'public key') {
    return byText(own.publicKey.export({ format: 'pem', type: 'spki' }).toString())
  }
  return byKey((by === 'another' ? another : own).privateKey)
}
