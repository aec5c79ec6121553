import 'server-only'
import * as client from 'openid-client'
import { fetch as fetchBy } from 'undici'
import { AppError } from '#lib/contract/faults.ts'
import { createProxiedAgent, NO_PROXIES, type Proxies } from '#lib/http/proxied-agent.ts'
import type { OidcSettings } from '#lib/server/environment/access-env.ts'
import type { Log } from '#lib/server/environment/log.ts'

/** Must not follow redirects. */
type ProviderFetch = (
  url: string,
  init: client.CustomFetchOptions,
) => Promise<{
  status: number
  headers: Iterable<[string, string]>
  arrayBuffer(): Promise<ArrayBuffer>
}>

export type ProviderOptions = {
  settings: OidcSettings
  publicUrl: URL
  /** Seconds since 1970. */
  now: () => number
  fetch: ProviderFetch
  log: Pick<Log, 'warn'>
  timeoutSeconds?: number
}

const TIMEOUT_SECONDS = 5
const KEPT_SECONDS = 3600
const REST_SECONDS = 5

/** By address: the document that the provider publishes about itself. */
type Documents = Map<string, Response>

/**
 * Keeps the document for an hour, and no keys: the library stores them with a configuration and
 * would refuse those of a provider that has changed them within the last minute.
 */
export function createDiscovery(options: ProviderOptions): () => Promise<client.Configuration> {
  const { settings, now, log } = options
  let latest: Promise<Documents> | null = null
  let until = 0
  const loadDocuments = (): Promise<Documents> => {
    if (latest !== null && now() < until) return latest
    until = Number.POSITIVE_INFINITY
    const documents: Documents = new Map()
    latest = configure(options, documents).then(
      () => {
        until = now() + KEPT_SECONDS
        return documents
      },
      (error: unknown) => {
        until = now() + REST_SECONDS
        const reason = selectUnreachable(error)?.message ?? toReason(error)
        log.warn('the identity provider cannot be reached', {
          issuer: settings.issuer.href,
          reason,
        })
        throw toAway()
      },
    )
    return latest
  }
  return async () => await configure(options, await loadDocuments())
}

/** Requests the document, and adds it to `documents`, unless it is there. */
async function configure(
  options: ProviderOptions,
  documents: Documents,
): Promise<client.Configuration> {
  const { settings, fetch, timeoutSeconds = TIMEOUT_SECONDS } = options
  const { issuer, clientId, clientSecret } = settings
  return await client.discovery(issuer, clientId, undefined, toClientAuth(clientSecret), {
    timeout: timeoutSeconds,
    [client.customFetch]: async (url, init) => {
      const response = documents.get(url) ?? (await carry(fetch, url, init))
      // The library begins with the document.
      if (documents.size === 0) documents.set(url, response)
      return response.clone()
    },
    execute: [
      // Otherwise the library does not verify signatures of tokens from the token endpoint.
      client.enableNonRepudiationChecks,
      // Environment validation allows plain http on loopback only.
      ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
    ],
  })
}

function toClientAuth(secret: string | null): client.ClientAuth {
  if (secret === null) return client.None()
  const [inHeader, inBody] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (taken.includes('client_secret_basic') ? inHeader : inBody)(server, ...rest)
  }
}

class Unreachable extends Error {
  override name = 'Unreachable'
}

const WITHOUT_BODY = [204, 205, 304]

/** Reads the whole body: network errors must differ from error responses. */
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

const ANSWER_MAX_BYTES = 1024 * 1024

/** Always verifies certificates, whatever the environment says. */
export function createProviderFetch(proxies: Proxies = NO_PROXIES): ProviderFetch {
  const tls = { rejectUnauthorized: true }
  const dispatcher = createProxiedAgent({
    proxies,
    tlsOptions: tls,
    connect: tls,
    maxResponseSize: ANSWER_MAX_BYTES,
  })
  return (url, init) => fetchBy(url, { ...init, dispatcher })
}

export const toAway = () =>
  new AppError('upstream_unavailable', 'The identity provider cannot be reached.')

export const selectUnreachable = (error: unknown): Unreachable | null => {
  if (error instanceof Unreachable) return error
  return error instanceof Error && error.cause ? selectUnreachable(error.cause) : null
}

/** An error code such as `ECONNREFUSED`, else the name. */
export function toReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const codes = [error, error.cause].flatMap((one) =>
    one instanceof Error && 'code' in one && typeof one.code === 'string' ? [one.code] : [],
  )
  return codes[0] ?? error.name
}
