import * as z from 'zod/mini'
import { WEBHOOK_FORMATS } from './answers/alerts.ts'
import { ALARM_KINDS } from './answers/status.ts'
import { SYMBOL_KEY_MAX_LENGTH } from './rating-fields.ts'

export const RULES_MAX = 2000
const RULE_SYMBOLS_MAX = 100
const QUERY_MAX = 4096
const URL_MAX = 2000

const text = (pattern: RegExp, error: string) => z.string().check(z.regex(pattern, error))

const name = () =>
  text(
    /^(?=\S)[^\p{C}\p{Zl}\p{Zp}]{1,80}(?<=\S)$/u,
    'is not a name of up to 80 letters on one line',
  )

const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,4}={0,2})?)$/
const SECRET_BYTES = { least: 24, most: 64 }

function isWebhookSecret(given: string): boolean {
  const digits = SECRET.exec(given)?.[1]?.replace(/=+$/, '') ?? ''
  const bytes = Math.floor((digits.length * 3) / 4)
  return bytes >= SECRET_BYTES.least && bytes <= SECRET_BYTES.most
}

const secret = z.string().check(
  z.refine(isWebhookSecret, {
    error: 'is not a secret: whsec_ and then 24 to 64 random bytes in Base64',
  }),
)

const address = z.string().check(
  z.maxLength(URL_MAX, `is longer than ${URL_MAX} characters`),
  z.refine(isReceiver, {
    error: 'is not an http or https address without user, password and fragment',
  }),
)

function isReceiver(given: string): boolean {
  if (!URL.canParse(given)) return false
  const { protocol, username, password, hash } = new URL(given)
  return ['http:', 'https:'].includes(protocol) && username + password + hash === ''
}

export const webhook = z.strictObject({
  url: address,
  secret,
  format: z.optional(z.enum(WEBHOOK_FORMATS, `is not a format: ${WEBHOOK_FORMATS.join(', ')}`)),
})

const shared = { name: name(), webhook: name() }

const symbols = z
  .array(z.string().check(z.minLength(1), z.maxLength(SYMBOL_KEY_MAX_LENGTH)))
  .check(
    z.minLength(1, 'names no symbol'),
    z.maxLength(RULE_SYMBOLS_MAX, `names more than ${RULE_SYMBOLS_MAX} symbols`),
  )

const decimal = () =>
  text(/^\d{1,2}(?:\.\d{1,4})?$/, 'is not a decimal number with up to 4 places, in quotes')

const whole = (most: number) => z.int('is not a whole number').check(z.minimum(1), z.maximum(most))

/** Fewer active ratings raise no event. */
const minimum = z.optional(whole(1_000_000))

const ratingsRule = z.strictObject({
  ...shared,
  kind: z.literal('ratings'),
  /** Of the ratings page. */
  query: z.string().check(z.maxLength(QUERY_MAX, `is longer than ${QUERY_MAX} characters`)),
})

const crossingRule = z.strictObject({
  ...shared,
  kind: z.literal('crossing'),
  symbols,
  value: decimal(),
  minimum,
})

const changeRule = z.strictObject({
  ...shared,
  kind: z.literal('change'),
  symbols,
  by: decimal(),
  days: whole(3660),
  minimum,
})

const syncRule = z.strictObject({
  ...shared,
  kind: z.literal('sync'),
  /** Default: all. */
  alarms: z.optional(z.array(z.enum(ALARM_KINDS, 'is not an alarm'))),
})

export const alertRule = z.discriminatedUnion(
  'kind',
  [ratingsRule, crossingRule, changeRule, syncRule],
  'is not one of ratings, crossing, change, sync',
)
export type AlertRule = z.infer<typeof alertRule>
export type ConsensusRule = Extract<AlertRule, { kind: 'crossing' | 'change' }>

export const wantedRule = z.strictObject({
  rule: z.unknown(),
  target: z.optional(
    z.strictObject({ url: z.string(), secret: z.string(), format: z.optional(z.string()) }),
  ),
})
