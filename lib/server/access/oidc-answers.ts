import 'server-only'
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { AppError } from '#lib/contract/faults.ts'
import { type Log, toLogFields } from '#lib/server/environment/log.ts'
import { toLocalAddress } from '#lib/server/gate/request-policy.ts'
import { readCookie, toCookie } from '#lib/server/gate/session-cookie.ts'
import { type ProviderAnswers, toOrigin } from './access-request.ts'
import type { Provider } from './oidc.ts'
import { leadBack, leadTo, noteFailedSignIn, selectReason, startSession } from './sign-in.ts'

type ProviderAnswersOptions = {
  provider: Provider
  publicUrl: URL
  /** Seconds since 1970. */
  now: () => number
  log: Pick<Log, 'error'>
}

const PENDING_SECONDS = 600
const COOKIE = 'oidc'

/** Browsers limit a cookie to 4,096 bytes. */
const NEXT_MAX = 2000

/** Sealed in a cookie: the server keeps no state. */
const kept = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  at: z.number(),
})
type StoredLogin = z.infer<typeof kept>

export function createProviderAnswers(options: ProviderAnswersOptions): ProviderAnswers {
  const { provider, publicUrl, now, log } = options
  const isSecure = publicUrl.protocol === 'https:'
  const setCookie = (response: Response, value: string, seconds: number) =>
    response.headers.append('set-cookie', toCookie(COOKIE, value, { isSecure, seconds }))
  const readKept = (request: Request, secret: Buffer): StoredLogin => {
    const text = readCookie(COOKIE, request.headers.get('cookie'), isSecure)
    const found = text === undefined ? null : unseal(text, secret)
    if (found && now() - found.at < PENDING_SECONDS) return found
    const why = found ? 'too late' : 'without a sign-in that began here'
    throw new AppError('unauthorized', `returned from the provider ${why}`)
  }
  return {
    async start({ access, request }) {
      const next = toNext(request)
      try {
        const { address, pending } = await provider.begin()
        const response = leadTo(address.href)
        const sealed = seal({ ...pending, next, at: Math.floor(now()) }, access.secret)
        setCookie(response, sealed, PENDING_SECONDS)
        return response
      } catch (error) {
        noteUnforeseen(log, error)
        return leadBack(next, 'away')
      }
    },
    async finish({ access, request, context }) {
      const { from, agent } = toOrigin(request, context)
      let next = '/'
      const answer = async () => {
        const { next: wanted, ...pending } = readKept(request, access.secret)
        next = wanted
        const who = await provider.finish(new URL(request.url).searchParams, pending)
        const secret = await access.welcome({ ...who, from, agent })
        return await startSession({ access, context, secret, next })
      }
      const response = await answer().catch((error: unknown) => {
        if (!(error instanceof AppError && error.fault === 'unauthorized')) {
          noteUnforeseen(log, error)
          noteFailedSignIn(access, context, error)
          return leadBack(next, selectReason(error) ?? 'away')
        }
        const what = error.message
        access.audit.note({ kind: 'sign-in', who: '', from, what, outcome: 'refused' })
        return leadBack(next, 'refused')
      })
      setCookie(response, '', 0)
      return response
    },
    selectEnd: () => provider.selectEnd(),
  }
}

function toNext(request: Request): string {
  const next = toLocalAddress(new URL(request.url).searchParams.get('next'))
  return JSON.stringify(next).length > NEXT_MAX ? '/' : next
}

function noteUnforeseen(log: Pick<Log, 'error'>, error: unknown): void {
  if (error instanceof AppError && error.fault === 'upstream_unavailable') return
  log.error('a sign-in with the provider failed', toLogFields(error))
}

const IV_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

/** A derived key separates this use of the secret from others. */
const toKey = (secret: Buffer) =>
  Buffer.from(hkdfSync('sha256', secret, '', 'bellwether sign-in with a provider', 32))

function seal(value: StoredLogin, secret: Buffer): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, toKey(secret), iv)
  const body = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
  return Buffer.concat([iv, body, cipher.getAuthTag()]).toString('base64url')
}

/** Null if tampered with, or sealed with a different secret. */
function unseal(text: string, secret: Buffer): StoredLogin | null {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.byteLength <= IV_BYTES + TAG_BYTES) return null
  const decipher = createDecipheriv(CIPHER, toKey(secret), bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    const body = Buffer.concat([
      decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)),
      decipher.final(),
    ])
    const parsed = kept.safeParse(JSON.parse(body.toString('utf8')))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
