import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { listenOnLoopback } from '#testing/loopback.ts'

/** For tests: a real OpenID Connect provider on loopback, and a browser that signs in at it. */

export type RealProviderOptions = {
  callback: string
  signedOut: string
  clientId: string
  /** null: a public client. */
  clientSecret: string | null
  /** What it says of whoever signs in, beside the subject, which is the login. */
  claims: (login: string) => Record<string, unknown>
  /** Whether it says so in the token too, or where one asks for it alone. */
  isInToken: boolean
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const JWK = { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'one' }

/** A browser judges the end of a cookie by the clock of the machine, which may be years ahead of that of the journeys. */
const COOKIE_SECONDS = 100 * 365 * 86_400

export type RealProvider = {
  issuer: URL
  /** Breaks all connections and takes no more. */
  close(): Promise<void>
}

/** Listens on loopback until it is closed. */
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
    // Some browsers ask for it, and would call its absence an error of the page.
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

/** Its pages would ask another machine for a font. What is sent stays as long as it says. */
const withoutFont = (body: unknown) =>
  typeof body === 'string'
    ? body.replace(/@import url\(https:[^)]*\);/, (font) => ' '.repeat(font.length))
    : body

/** It warns of being used as it is here. Gives what ends its silence. */
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

/**
 * Goes where a redirect leads, fills the provider's forms in, and gives the address of ours that it is sent back to. A login of
 * null gives up at the first form.
 */
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

/** Keeps cookies, whatever path they are for. */
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
