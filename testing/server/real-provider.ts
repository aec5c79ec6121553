import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { listenOnLoopback } from '#testing/loopback.ts'

export type RealProviderOptions = {
  callback: string
  signedOut: string
  clientId: string
  /** Null for a public client. */
  clientSecret: string | null
  claims: (login: string) => Record<string, unknown>
  /** In the ID token too, not only from userinfo. */
  isInToken: boolean
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const JWK = { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'one' }

/** Browsers use the machine's clock, which may be years ahead. */
const COOKIE_SECONDS = 100 * 365 * 86_400

export type RealProvider = {
  issuer: URL
  close(): Promise<void>
}

export async function startRealProvider(options: RealProviderOptions): Promise<RealProvider> {
  const restore = muteProvider()
  const { Provider } = await import('oidc-provider')
  const server = createServer()
  const loopback = await listenOnLoopback(server)
  const issuer = `http://127.0.0.1:${loopback.port}`
  const provider = new Provider(issuer, {
    clients: [toClient(options)],
    jwks: { keys: [JWK] },
    cookies: { keys: ['a key of this test'] },
    ttl: { Interaction: COOKIE_SECONDS, Session: COOKIE_SECONDS },
    claims: { openid: ['sub'], profile: ['preferred_username', 'groups'] },
    conformIdTokenClaims: !options.isInToken,
    pkce: { required: () => true },
    findAccount: (_: unknown, login: string) => ({
      accountId: login,
      claims: () => ({ sub: login, ...options.claims(login) }),
    }),
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (request.url === '/favicon.ico') return response.writeHead(204).end()
    const end = response.end.bind(response)
    Object.assign(response, { end: (body?: unknown) => end(withoutFont(body)) })
    answer(request, response)
  })
  return {
    issuer: new URL(issuer),
    close: async () => {
      await loopback.close()
      restore()
    },
  }
}

/** Removes an external font. Keeps the length. */
const withoutFont = (body: unknown) =>
  typeof body === 'string'
    ? body.replace(/@import url\(https:[^)]*\);/, (font) => ' '.repeat(font.length))
    : body

function muteProvider(): () => void {
  const { info, warn } = console
  for (const level of ['info', 'warn'] as const) {
    const say = console[level]
    console[level] = (...said: unknown[]) => {
      if (!String(said[0]).startsWith('oidc-provider ')) say(...said)
    }
  }
  return () => Object.assign(console, { info, warn })
}

const toClient = ({ callback, signedOut, clientId, clientSecret }: RealProviderOptions) => ({
  client_id: clientId,
  ...(clientSecret === null
    ? { token_endpoint_auth_method: 'none' }
    : { client_secret: clientSecret }),
  redirect_uris: [callback],
  post_logout_redirect_uris: [signedOut],
})

const MOST_STEPS = 12

/** Returns the callback URL. A null login cancels at the first form. */
export async function signInAt(address: string, login: string | null): Promise<URL> {
  const { host } = new URL(address)
  const browse = createBrowser()
  let at = new URL(address)
  let form: Record<string, string> | undefined
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const response = await browse(at, form)
    form = undefined
    const location = response.headers.get('location')
    const page = await response.text()
    if (location !== null) {
      at = new URL(location, at)
      if (at.host !== host) return at
    } else if (login === null) {
      at = new URL(`${at.pathname}/abort`, at)
    } else if (/name="prompt" value="login"/.test(page)) {
      form = { prompt: 'login', login, password: 'any' }
    } else if (/name="prompt" value="consent"/.test(page)) {
      form = { prompt: 'consent' }
    } else {
      throw new Error(`The provider stopped with ${response.status}: ${page.slice(0, 2000)}`)
    }
  }
  throw new Error('The provider leads nowhere.')
}

function createBrowser() {
  const jar = new Map<string, string>()
  return async (address: URL, form?: Record<string, string>): Promise<Response> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const [name = '', ...value] = pair.split('=')
      if (value.join('=') === '') jar.delete(name)
      else jar.set(name, value.join('='))
    }
    return response
  }
}
