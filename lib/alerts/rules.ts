import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import {
  type AlertRule,
  alertRule,
  RULES_MAX,
  wantedRule,
  webhook,
} from '#lib/contract/alert-rules.ts'
import type { AlertProblem, WebhookFormat } from '#lib/contract/answers/alerts.ts'
import { AppError } from '#lib/contract/faults.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { parseRatingsQuery, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import type { SharedFile } from '#lib/files/json-file.ts'
import { recognizeFormat } from './formats.ts'

/** Where rules are stored: below the folder of alerts, or among the shared documents. */
export const RULES_FILE = 'rules.json'
export const RULES_DOCUMENT = 'alerts.rules'

/** Neither `url` nor `secret` may be shown or logged. */
export type Target = { url: URL; secret: string; format: WebhookFormat }

export type ReadRule = {
  rule: AlertRule
  /** Identifies what the rule looks for. A change resets the rule's state. */
  definition: string
  /** Null unless the rule is about ratings. */
  query: RatingsQuery | null
}

export type RuleBook = {
  rules: readonly ReadRule[]
  targets: ReadonlyMap<string, Target>
  problems: readonly AlertProblem[]
}

const namedRule = z.looseObject({ name: z.string(), webhook: z.string() })

/** Earlier versions also stored quiet hours and a limit of messages. */
const storedRule = z.pipe(
  namedRule,
  z.transform(({ at_most_an_hour: _limit, quiet_hours: _quiet, ...rule }) => rule),
)

/** Rules are parsed one by one, so that an invalid rule does not disable the others. */
export const storedRules = z.object({
  webhooks: z.array(
    z.object({
      name: z.string(),
      url: z.string(),
      secret: z.string(),
      format: z.optional(z.string()),
    }),
  ),
  rules: z.array(storedRule),
})
export type StoredRules = z.output<typeof storedRules>

export const NO_RULES: StoredRules = { webhooks: [], rules: [] }

export type Rules = {
  /** Throws only if the record store fails. */
  load(): Promise<RuleBook>
  add(wanted: unknown): Promise<void>
  /** Also removes webhooks that no rule uses. Throws AppError. */
  remove(name: string): Promise<void>
}

type RulesOptions = {
  stored: SharedFile<StoredRules>
  allowsPlain: boolean
  hide: (secret: string) => void
}

export function createRules({ stored, allowsPlain, ...options }: RulesOptions): Rules {
  const hide = createSecretHiding(options.hide)
  let known: { content: StoredRules; book: RuleBook } | null = null
  return {
    async load() {
      const content = (await stored.load()) ?? NO_RULES
      if (known?.content === content) return known.book
      const book = readRules(content, allowsPlain)
      known = { content, book }
      for (const target of book.targets.values()) hide(target)
      return book
    },
    async add(wanted) {
      await stored.update((kept) => addRule(kept ?? NO_RULES, wanted, allowsPlain))
    },
    async remove(name) {
      await stored.update((kept) => {
        const { rules, webhooks } = kept ?? NO_RULES
        const rest = rules.filter((rule) => rule.name !== name)
        if (rest.length === rules.length) throw new AppError('not_found', 'No rule has that name.')
        const named = new Set(rest.map((rule) => rule.webhook))
        return { rules: rest, webhooks: webhooks.filter((one) => named.has(one.name)) }
      })
    },
  }
}

const LONG = 16

/** Paths of webhook URLs are often credentials. */
function createSecretHiding(hide: RulesOptions['hide']): (target: Target) => void {
  const hidden = new Set<string>()
  return ({ url, secret }) => {
    for (const part of [secret, url.pathname, url.search]) {
      if (part.length < LONG || hidden.has(part)) continue
      hidden.add(part)
      hide(part)
    }
  }
}

type Issue = { parameter: string; message: string }
type Read<T> = { value: T; issues?: never } | { value?: never; issues: readonly Issue[] }

function readRules({ webhooks, rules }: StoredRules, allowsPlain: boolean): RuleBook {
  const problems: AlertProblem[] = []
  const note = (root: string, issues: readonly Issue[], rule: string | null) => {
    for (const { parameter, message } of issues) {
      problems.push({ place: parameter === '' ? root : `${root}.${parameter}`, rule, message })
    }
  }
  const targets = readTargets(webhooks, allowsPlain)
  for (const [name, { issues = [] }] of targets) note(`webhooks.${toShort(name)}`, issues, null)
  const read = rules.flatMap((given, index): ReadRule[] => {
    const { value, issues = [] } = readRule(given, targets)
    note(`rules[${index}]`, issues, toShort(given.name))
    return value ? [value] : []
  })
  const usable = [...targets].flatMap(([name, { value }]): [string, Target][] =>
    value ? [[name, value]] : [],
  )
  return { rules: read, targets: new Map(usable), problems }
}

const toShort = (name: string) => toVisibleText(name).slice(0, 80)

type ReadTargets = ReadonlyMap<string, Read<Target>>

const readTargets = (webhooks: StoredRules['webhooks'], allowsPlain: boolean): ReadTargets =>
  new Map(webhooks.map(({ name, ...given }) => [name, readWebhook(given, allowsPlain)]))

function readWebhook(given: unknown, allowsPlain: boolean): Read<Target> {
  const parsed = webhook.safeParse(given)
  if (!parsed.success) return { issues: parsed.error.issues.flatMap(toIssues) }
  const { secret, format } = parsed.data
  const url = new URL(parsed.data.url)
  if (url.protocol === 'http:' && !allowsPlain) {
    const message =
      'is plain http, which can be read in transit: use https, or set ALERTS_ALLOW_PRIVATE=on'
    return { issues: [{ parameter: 'url', message }] }
  }
  return { value: { url, secret, format: format ?? recognizeFormat(url) } }
}

function readRule(given: unknown, targets: ReadTargets): Read<ReadRule> {
  const parsed = alertRule.safeParse(given)
  if (!parsed.success) return { issues: parsed.error.issues.flatMap(toIssues) }
  const rule = parsed.data
  const query = rule.kind === 'ratings' ? readQuery(rule.query) : null
  if (query?.issues) return query
  const target = targets.get(rule.webhook)
  if (target?.value) {
    return { value: { rule, definition: toDefinition(rule), query: query?.value ?? null } }
  }
  const message = target ? 'is a webhook that cannot be used' : 'is not the name of a webhook'
  return { issues: [{ parameter: 'webhook', message }] }
}

function readQuery(text: string): Read<RatingsQuery> {
  const query = parseRatingsQuery(new URLSearchParams(text.replace(/^\?/, '')))
  const toIssue = (message: string): Issue => ({ parameter: 'query', message })
  if (!query.ok) {
    return {
      issues: query.issues.map(({ parameter, message }) =>
        toIssue(`does not parse: ${toVisibleText(parameter)} ${message}`),
      ),
    }
  }
  if (query.value.asof === null) return { value: query.value }
  return { issues: [toIssue('contains asof, which a rule cannot use')] }
}

function toIssues(issue: z.core.$ZodIssue): Issue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      parameter: toParameter([...issue.path, key]),
      message: 'is unknown',
    }))
  }
  const message =
    issue.message === 'Invalid input' || issue.message === '' ? toTypeMessage(issue) : issue.message
  return [{ parameter: toParameter(issue.path), message }]
}

const toParameter = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? toShort(String(step)) : `${text}.${toShort(String(step))}`
  }, '')

const TYPES: Readonly<Record<string, string>> = {
  string: 'is missing, or is not text',
  object: 'is not an object',
  array: 'is not a list',
}

const toTypeMessage = (issue: z.core.$ZodIssue): string =>
  (issue.code === 'invalid_type' && TYPES[issue.expected]) || 'is invalid'

function toDefinition({ name: _name, webhook: _webhook, ...wanted }: AlertRule): string {
  const content =
    'symbols' in wanted
      ? { ...wanted, symbols: [...wanted.symbols.map(toSymbolKey)].sort() }
      : wanted
  const sorted = Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url').slice(0, 22)
}

/** Throws AppError. */
export function addRule(
  { rules, webhooks }: StoredRules,
  wanted: unknown,
  allowsPlain: boolean,
): StoredRules {
  const { rule, target } = parseWanted(wanted)
  if (rules.length >= RULES_MAX) {
    throw new AppError('bad_request', `There are already ${RULES_MAX} rules.`)
  }
  if (rules.some((one) => one.name === rule.name)) {
    throw toRefusal([{ parameter: 'name', message: 'is the name of another rule' }])
  }
  if (target && webhooks.some((one) => one.name === rule.webhook)) {
    throw toRefusal([{ parameter: 'webhook', message: 'is the name of another webhook' }])
  }
  const all = target ? [...webhooks, { name: rule.webhook, ...target }] : webhooks
  const targets = readTargets(all, allowsPlain)
  const { issues: ofTarget = [] } = (target && targets.get(rule.webhook)) ?? {}
  const { issues: ofRule = [] } = readRule(rule, targets)
  if (ofTarget.length + ofRule.length > 0) throw toRefusal([...ofTarget, ...ofRule])
  return { webhooks: all, rules: [...rules, rule] }
}

function parseWanted(wanted: unknown) {
  const parsed = wantedRule.safeParse(wanted)
  const rule = namedRule.safeParse(parsed.success ? parsed.data.rule : null)
  if (!parsed.success || !rule.success) {
    throw new AppError('bad_request', 'The body must have a rule with a name and a webhook.')
  }
  return { rule: rule.data, target: parsed.data.target }
}

const toRefusal = (issues: readonly Issue[]) =>
  new AppError(
    'bad_request',
    `${issues.map(({ parameter, message }) => `${parameter} ${message}`).join('; ')}.`,
    { issues },
  )
