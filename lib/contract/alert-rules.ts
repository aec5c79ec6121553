import * as z from 'zod/mini'
import { WEBHOOK_FORMATS } from './answers/alerts.ts'
import { ALARM_KINDS } from './answers/status.ts'
import { isProblem, readZone } from './query-parameters.ts'
import { SYMBOL_KEY_MAX_LENGTH } from './rating-fields.ts'

export const RULES_MAX = 2000
const RULE_SYMBOLS_MAX = 100
const QUERY_MAX = 4096
const URL_MAX = 2000

export const AT_MOST_AN_HOUR = 10

const said = <S extends z.ZodMiniType>(schema: S, description: string): S => {
  z.globalRegistry.add(schema, { description })
  return schema
}

const text = (pattern: RegExp, error: string) => z.string().check(z.regex(pattern, error))

const name = () =>
  text(
    /^(?=\S)[^\p{C}\p{Zl}\p{Zp}]{1,80}(?<=\S)$/u,
    'is not a name of up to 80 letters on one line',
  )

const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,4}={0,2})?)$/
const SECRET_BYTES = { least: 24, most: 64 }

export function isWebhookSecret(given: string): boolean {
  const digits = SECRET.exec(given)?.[1]?.replace(/=+$/, '') ?? ''
  const bytes = Math.floor((digits.length * 3) / 4)
  return bytes >= SECRET_BYTES.least && bytes <= SECRET_BYTES.most
}

export const NO_SECRET = 'is not a secret: whsec_ and then 24 to 64 random bytes in Base64'

const secret = z.string().check(z.refine(isWebhookSecret, { error: NO_SECRET }))

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

export const webhook = said(
  z.strictObject({
    url: said(
      address,
      'The address that messages are posted to. The API never returns it in full.',
    ),
    secret: z.optional(
      said(secret, 'The signing secret: whsec_ followed by 24 to 64 bytes in Base64.'),
    ),
    secret_file: z.optional(
      said(z.string().check(z.minLength(1)), 'A file that holds the secret, instead of `secret`.'),
    ),
    format: z.optional(
      said(
        z.enum(WEBHOOK_FORMATS, `is not a format: ${WEBHOOK_FORMATS.join(', ')}`),
        'The message format. Default: detected from the address.',
      ),
    ),
  }),
  'A receiver: an address, and a secret or a file that holds it.',
)
export type Webhook = z.infer<typeof webhook>

const clock = () => text(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'is not a time of day such as 22:00')

const zone = z.string().check(
  z.refine((given) => !isProblem(readZone(given)), {
    error: 'is not a time zone like Europe/Berlin',
  }),
)

const quietHours = said(
  z.strictObject({ from: clock(), to: clock(), zone }),
  'No messages between two times of day. One summary follows afterwards.',
)
export type QuietHours = z.infer<typeof quietHours>

const shared = {
  name: said(name(), 'The name of the rule in messages. Names are unique.'),
  webhook: said(name(), 'The name of the webhook that receives the messages.'),
  at_most_an_hour: z.optional(
    said(
      z.int('is not a whole number').check(z.minimum(1), z.maximum(3600)),
      `So many messages an hour; the rest is summed up in one. ${AT_MOST_AN_HOUR} where it is not given.`,
    ),
  ),
  quiet_hours: z.optional(quietHours),
}

const symbols = z
  .array(z.string().check(z.minLength(1), z.maxLength(SYMBOL_KEY_MAX_LENGTH)))
  .check(
    z.minLength(1, 'names no symbol'),
    z.maxLength(RULE_SYMBOLS_MAX, `names more than ${RULE_SYMBOLS_MAX} symbols`),
  )

const decimal = () =>
  text(/^\d{1,2}(?:\.\d{1,4})?$/, 'is not a decimal number with up to 4 places, in quotes')

const minimum = z.optional(
  said(
    z.int('is not a whole number').check(z.minimum(1), z.maximum(1_000_000)),
    'The minimum number of active ratings. Default: 3.',
  ),
)

const ratingsRule = said(
  z.strictObject({
    ...shared,
    kind: z.literal('ratings'),
    query: said(
      z.string().check(z.maxLength(QUERY_MAX, `is longer than ${QUERY_MAX} characters`)),
      'The query string of the ratings page, such as symbol=AAPL&rating=5.',
    ),
  }),
  'New ratings that match a query.',
)

const crossingRule = said(
  z.strictObject({
    ...shared,
    kind: z.literal('crossing'),
    symbols,
    value: said(decimal(), 'The consensus value to cross, such as "3.5".'),
    minimum,
  }),
  'The consensus of a symbol crosses a value in either direction.',
)

const changeRule = said(
  z.strictObject({
    ...shared,
    kind: z.literal('change'),
    symbols,
    by: said(decimal(), 'The size of the change, up or down, such as "0.5".'),
    days: said(
      z.int('is not a whole number').check(z.minimum(1), z.maximum(3660)),
      'The number of days.',
    ),
    minimum,
  }),
  'The consensus of a symbol changes by a given amount within a number of days.',
)

const syncRule = said(
  z.strictObject({
    ...shared,
    kind: z.literal('sync'),
    alarms: z.optional(
      said(z.array(z.enum(ALARM_KINDS, 'is not an alarm')), 'Only these alarms. Default: all.'),
    ),
  }),
  'An alarm of the sync is raised or clears.',
)

export const alertRule = z.discriminatedUnion(
  'kind',
  [ratingsRule, crossingRule, changeRule, syncRule],
  'is not one of ratings, crossing, change, sync',
)
export type AlertRule = z.infer<typeof alertRule>
export type ConsensusRule = Extract<AlertRule, { kind: 'crossing' | 'change' }>

/** Rules are parsed one by one, so that an invalid rule does not disable the others. */
const alertsFile = said(
  z.strictObject({
    $schema: z.optional(z.string()),
    webhooks: z.record(name(), webhook),
    rules: z.array(alertRule),
  }),
  'Alert rules and webhooks of Bellwether.',
)

export const toAlertsSchema = (): object => ({
  title: 'Alerts of Bellwether',
  ...z.toJSONSchema(alertsFile, { target: 'draft-7', io: 'input', unrepresentable: 'any' }),
})

export const wantedRule = z.strictObject({
  rule: z.unknown(),
  target: z.optional(
    z.strictObject({ url: z.string(), secret: z.string(), format: z.optional(z.string()) }),
  ),
})
