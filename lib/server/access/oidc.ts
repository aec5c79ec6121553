import 'server-only'
import * as client from 'openid-client'
import { isPlainName, parseGroups } from '#lib/access/names.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { OidcSettings } from '#lib/server/environment/access-env.ts'
import {
  createDiscovery,
  type ProviderOptions,
  selectUnreachable,
  toAway,
  toReason,
} from './oidc-discovery.ts'

export type Pending = { state: string; nonce: string; verifier: string }

type ProviderIdentity = { name: string; groups: readonly string[] }

export type Provider = {
  /** Throws AppError `upstream_unavailable`. */
  begin(): Promise<{ address: URL; pending: Pending }>
  /** Throws AppError `upstream_unavailable` or `unauthorized`. */
  finish(returned: URLSearchParams, pending: Pending): Promise<ProviderIdentity>
  selectEnd(): Promise<URL | null>
}

export function createProvider(options: ProviderOptions): Provider {
  const { settings, publicUrl, log } = options
  const discover = createDiscovery(options)
  const callback = new URL(withBase('/api/access/oidc/callback'), publicUrl)
  return {
    async begin() {
      const config = await discover()
      const pending = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const address = client.buildAuthorizationUrl(config, {
        redirect_uri: callback.href,
        scope: settings.scopes,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
      })
      return { address, pending }
    },
    async finish(returned, { state, nonce, verifier }) {
      // Checked first, so that forged callbacks cost the provider no request.
      if (returned.get('state') !== state) {
        throw refuse('returned from the provider with a different state')
      }
      const config = await discover()
      try {
        const came = new URL(`${callback}?${returned}`)
        const tokens = await client.authorizationCodeGrant(config, came, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        return toVouched(await loadClaims(config, tokens, options), settings)
      } catch (error) {
        const fault = toFault(error)
        log.warn('a sign-in with the provider was refused', { reason: fault.message })
        throw fault
      }
    },
    async selectEnd() {
      try {
        const config = await discover()
        if (config.serverMetadata().end_session_endpoint === undefined) return null
        const back = new URL(withBase('/sign-in?why=out'), publicUrl).href
        return client.buildEndSessionUrl(config, { post_logout_redirect_uri: back })
      } catch {
        return null
      }
    },
  }
}

/** The ID token takes precedence over userinfo. */
async function loadClaims(
  config: client.Configuration,
  tokens: Awaited<ReturnType<typeof client.authorizationCodeGrant>>,
  { settings: { nameClaim, groupsClaim }, log }: ProviderOptions,
): Promise<Claims> {
  const claims = tokens.claims()
  if (!claims) throw refuse('was not named by a token from the provider')
  const needed = [nameClaim, groupsClaim, ...(nameClaim === 'email' ? ['email_verified'] : [])]
  const isWhole = needed.every((claim) => Object.hasOwn(claims, claim))
  if (isWhole || config.serverMetadata().userinfo_endpoint === undefined) return claims
  const more: Claims | null = await client
    .fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck)
    .catch((error: unknown) => {
      const reason = selectUnreachable(error)?.message ?? toReason(error)
      log.warn('userinfo of the provider failed: the ID token alone decides', { reason })
      return null
    })
  if (more && more.sub !== claims.sub)
    throw refuse('has a different subject in the provider’s userinfo than in its token')
  return more ? mergeClaims(claims, more) : claims
}

type Claims = Readonly<Record<string, unknown>>

/** An address is verified only by the answer that contains it. */
function mergeClaims(claims: Claims, more: Claims): Claims {
  const merged = { ...more, ...claims }
  const isSame = claims.email === more.email
  const { email_verified } = isSame ? merged : Object.hasOwn(claims, 'email') ? claims : more
  return { ...merged, email_verified }
}

const GROUPS_MAX = 500

function toVouched(claims: Claims, settings: OidcSettings): ProviderIdentity {
  const { nameClaim, groupsClaim } = settings
  const said = selectNameClaims(nameClaim).filter((one) => isSaid(claims, one))
  // An unverified address could be someone else's.
  const claim = said.find((one) => one !== 'email' || isVerified(claims, settings))
  if (claim === undefined && said.length > 0) {
    throw refuse('has an e-mail address that the provider does not call verified (email_verified)')
  }
  const name = claim === undefined ? undefined : claims[claim]
  if (!isPlainName(name)) throw refuse('got no usable name from the provider')
  return { name, groups: toGroups(Object.hasOwn(claims, groupsClaim) ? claims[groupsClaim] : []) }
}

/** A custom claim has no fallback. The operator must make sure that it is unique. */
const selectNameClaims = (chosen: string) =>
  chosen === 'preferred_username' ? [chosen, 'email', 'sub'] : [chosen]

const isSaid = (claims: Claims, claim: string): boolean =>
  Object.hasOwn(claims, claim) && claims[claim] !== null && claims[claim] !== ''

/** Some providers send text. Anything else, such as `null` or `"FALSE"`, does not verify. */
const isVerified = ({ email_verified: value }: Claims, { trustsEmail }: OidcSettings): boolean =>
  value === true || value === 'true' || (value === undefined && trustsEmail)

const toGroups = (value: unknown): string[] =>
  (typeof value === 'string' ? parseGroups(value) : [value].flat().filter(isPlainName)).slice(
    0,
    GROUPS_MAX,
  )

const refuse = (what: string, cause?: unknown) => new AppError('unauthorized', what, { cause })

/** Only these codes are shown to users (RFC 6749, OpenID Connect Core). */
const REASONS: ReadonlySet<string> = new Set([
  'access_denied',
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'login_required',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
])

/** Drops the original message: the library's errors contain tokens. */
function toFault(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (selectUnreachable(error)) return toAway()
  const why = (reason: string) => (REASONS.has(reason) ? ` (${reason})` : '')
  if (error instanceof client.AuthorizationResponseError) {
    return refuse(`was refused by the provider${why(error.error)}`)
  }
  if (error instanceof client.ResponseBodyError) {
    return refuse(`sent a code that the provider rejected${why(error.error)}`)
  }
  if (error instanceof client.WWWAuthenticateChallengeError) {
    return refuse('sent a code, but the provider does not know this dashboard (invalid_client)')
  }
  return refuse(`sent an invalid response from the provider (${toReason(error)})`)
}
