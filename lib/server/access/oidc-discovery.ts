import 'server-only'
import * as client from 'openid-client'
import { Agent, fetch as fetchBy } from 'undici'
import { AppError } from '#lib/contract/faults.ts'
import type { OidcSettings } from '#lib/server/environment/access-env.ts'
import type { Log } from '#lib/server/environment/log.ts'

/** Carries one request; follows no redirect. */
export type ProviderFetch = (
  url: string,
  init: client.CustomFetchOptions,
) => Promise<{
  status: number
  headers: Iterable<[string, string]>
  arrayBuffer(): Promise<ArrayBuffer>
}>

export type ProviderOptions = {
  settings: OidcSettings
  /** The origin that people come back to. */
  publicUrl: URL
  /** Seconds since 1970. What tokens say of time is held against the clock of the process. */
  now: () => number
  fetch: ProviderFetch
  log: Pick<Log, 'warn'>
  /** For one request. */
  timeoutSeconds?: number
}

const TIMEOUT_SECONDS = 5
/** What the provider says of itself is asked for anew after so long. */
const KEPT_SECONDS = 3600
/** A provider that could not be asked is left alone for so long, however many people knock. */
const REST_SECONDS = 5

/** Asks the provider where its parts are: once for all who wait, when somebody first needs it. */
export function createDiscovery(options: ProviderOptions): () => Promise<client.Configuration> {
  const { settings, now, log } = options
  let latest: Promise<client.Configuration> | null = null
  let until = 0
  return () => {
    if (latest !== null && now() < until) return latest
    until = Number.POSITIVE_INFINITY
    latest = discoverNow(options).then(
      (config) => {
        until = now() + KEPT_SECONDS
        return config
      },
      (error: unknown) => {
        until = now() + REST_SECONDS
        const reason = selectUnreachable(error)?.message ?? toReason(error)
        log.warn('the provider that people sign in with cannot be asked', {
          issuer: settings.issuer.href,
          reason,
        })
        throw toAway()
      },
    )
    return latest
  }
}

async function discoverNow(options: ProviderOptions): Promise<client.Configuration> {
  const { settings, fetch, timeoutSeconds = TIMEOUT_SECONDS } = options
  const { issuer, clientId, clientSecret } = settings
  return await client.discovery(issuer, clientId, undefined, toClientAuth(clientSecret), {
    timeout: timeoutSeconds,
    [client.customFetch]: (url, init) => carry(fetch, url, init),
    execute: [
      // Without it a token that comes from the token endpoint is believed without a look at its signature.
      client.enableNonRepudiationChecks,
      // The environment takes plain http for this machine alone.
      ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
    ],
  })
}

/** How the dashboard shows the provider that it is itself: in a header, unless the provider takes it in the body alone. */
function toClientAuth(secret: string | null): client.ClientAuth {
  if (secret === null) return client.None()
  const [inHeader, inBody] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (taken.includes('client_secret_basic') ? inHeader : inBody)(server, ...rest)
  }
}

/** The provider did not answer, or said that it is broken. The message is ours. */
class Unreachable extends Error {
  override name = 'Unreachable'
}

/** Statuses that have none. */
const WITHOUT_BODY = [204, 205, 304]

/** Carries a request and its whole answer, so that what breaks on the way is told apart from what was answered. */
async function carry(
  fetch: ProviderFetch,
  url: string,
  init: client.CustomFetchOptions,
): Promise<Response> {
  try {
    const answer = await fetch(url, init)
    const { status } = answer
    const body = await answer.arrayBuffer()
    if (status >= 500) throw new Unreachable(`status ${status}`)
    const headers = new Headers([...answer.headers])
    return new Response(WITHOUT_BODY.includes(status) ? null : body, { status, headers })
  } catch (error) {
    throw error instanceof Unreachable ? error : new Unreachable(toReason(error))
  }
}

/** Far more than any answer of a provider. */
const ANSWER_MAX_BYTES = 1024 * 1024

/** Carries requests over sockets. Certificates are always checked, whatever the environment says. */
export function createProviderFetch(): ProviderFetch {
  const dispatcher = new Agent({
    connect: { rejectUnauthorized: true },
    maxResponseSize: ANSWER_MAX_BYTES,
  })
  return (url, init) => fetchBy(url, { ...init, dispatcher })
}

/** What is thrown wherever the provider cannot be asked. */
export const toAway = () =>
  new AppError('upstream_unavailable', 'The provider that people sign in with cannot be asked.')

/** The break in the connection that is behind an error; null where there was none. */
export const selectUnreachable = (error: unknown): Unreachable | null => {
  if (error instanceof Unreachable) return error
  return error instanceof Error && error.cause ? selectUnreachable(error.cause) : null
}

/** The code of an error or of what caused it, such as ECONNREFUSED; else its name. */
export function toReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const codes = [error, error.cause].flatMap((one) =>
    one instanceof Error && 'code' in one && typeof one.code === 'string' ? [one.code] : [],
  )
  return codes[0] ?? error.name
}
