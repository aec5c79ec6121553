import { createHash } from 'node:crypto'
import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser'
import type * as z from 'zod/mini'
import {
  type AlertRule,
  alertRule,
  isWebhookSecret,
  NO_SECRET,
  RULES_MAX,
  type Webhook,
  webhook,
} from '#lib/contract/alert-rules.ts'
import type { AlertProblem, WebhookFormat } from '#lib/contract/answers/alerts.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { parseRatingsQuery, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { recognizeFormat } from './formats.ts'

/** Neither `url` nor `secret` may be shown or logged. */
export type Target = { url: URL; secret: string; format: WebhookFormat }

type RuleSource = 'file' | 'form'

export type ReadRule = {
  rule: AlertRule
  source: RuleSource
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

export const EMPTY_BOOK: RuleBook = { rules: [], targets: new Map(), problems: [] }

type Source = {
  source: RuleSource
  /** Throws if unreadable. Null: `secret_file` is not supported. */
  readSecret: ((path: string) => string) | null
  allowsPlain: boolean
  others?: ReadonlyMap<string, Target>
}

export function parseRules(text: string, source: Source): RuleBook {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    return { ...EMPTY_BOOK, problems: [toSyntaxProblem(text, source.source)] }
  }
  const book = readRules(content, source)
  if (book.problems.length === 0) return book
  const findLine = createLineFinder(text)
  const problems = book.problems.map(({ path, ...problem }) => ({
    ...problem,
    line: findLine(path),
  }))
  return { ...book, problems }
}

type LocatedProblem = AlertProblem & { path: JsonPath }
type PlacedBook = Omit<RuleBook, 'problems'> & { problems: readonly LocatedProblem[] }

export function readRules(content: unknown, source: Source): PlacedBook {
  const noting = createProblemList(source.source)
  if (!isObject(content)) {
    noting.note([], 'is not an object with “webhooks” and “rules”')
    return { ...EMPTY_BOOK, problems: noting.problems }
  }
  for (const key of Object.keys(content)) {
    if (!['$schema', 'webhooks', 'rules'].includes(key)) noting.note([key], 'is unknown')
  }
  const targets = readTargets(content.webhooks, source, noting)
  const rules = readAll(content.rules, { source, targets: withOthers(targets, source), noting })
  return { rules, targets: targets.read, problems: noting.problems }
}

type ProblemList = ReturnType<typeof createProblemList>

function createProblemList(source: RuleSource) {
  const problems: LocatedProblem[] = []
  return {
    problems,
    note(path: JsonPath, message: string, rule: string | null = null) {
      problems.push({ source, path, place: toPlace(path), line: null, rule, message })
    },
  }
}

export const toPlace = (path: JsonPath): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    const name = toVisibleText(String(step)).slice(0, 80)
    return text === '' ? name : `${text}.${name}`
  }, '')

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `named` includes invalid webhooks, which were already reported. */
type Targets = { read: ReadonlyMap<string, Target>; named: ReadonlySet<string> }

function withOthers({ read, named }: Targets, { others = new Map() }: Source): Targets {
  return { read: new Map([...read, ...others]), named: new Set([...named, ...others.keys()]) }
}

function readTargets(given: unknown, source: Source, { note }: ProblemList): Targets {
  const targets = { read: new Map<string, Target>(), named: new Set<string>() }
  if (given === undefined) return targets
  if (!isObject(given)) {
    note(['webhooks'], 'is not an object of names and webhooks')
    return targets
  }
  for (const [name, value] of Object.entries(given)) {
    targets.named.add(name)
    const path = ['webhooks', name]
    const parsed = webhook.safeParse(value)
    if (!parsed.success) {
      for (const issue of parsed.error.issues) noteIssue(issue, { path, note, rule: null })
      continue
    }
    const target = readTarget(parsed.data, source, (step, message) =>
      note([...path, ...step], message),
    )
    if (target) targets.read.set(name, target)
  }
  return targets
}

function readTarget(
  { url: address, secret: given, secret_file: file, format: named }: Webhook,
  { readSecret, allowsPlain }: Source,
  refuse: (step: readonly string[], message: string) => void,
): Target | null {
  const url = new URL(address)
  const format = named ?? recognizeFormat(url)
  if (url.protocol === 'http:' && !allowsPlain) {
    refuse(
      ['url'],
      'is plain http, which can be read in transit: use https, or set ALERTS_ALLOW_PRIVATE=on',
    )
    return null
  }
  if ((given === undefined) === (file === undefined)) {
    refuse([], 'needs either a secret or a secret_file')
    return null
  }
  if (file === undefined) return { url, secret: given ?? '', format }
  if (readSecret === null) {
    refuse(['secret_file'], 'is read only for ALERTS_FILE')
    return null
  }
  try {
    const secret = readSecret(file).trim()
    if (isWebhookSecret(secret)) return { url, secret, format }
    refuse(['secret_file'], `names a file whose content ${NO_SECRET}`)
  } catch {
    refuse(['secret_file'], 'names a file that cannot be read')
  }
  return null
}

type RuleContext = { source: Source; targets: Targets; noting: ProblemList }

function readAll(given: unknown, { source, targets, noting }: RuleContext): ReadRule[] {
  if (given === undefined) return []
  if (!Array.isArray(given)) {
    noting.note(['rules'], 'is not a list')
    return []
  }
  if (given.length > RULES_MAX) {
    noting.note(['rules', RULES_MAX], `exceeds the limit of ${RULES_MAX} rules and is left out`)
  }
  const names = new Set<string>()
  return given.slice(0, RULES_MAX).flatMap((value: unknown, index): ReadRule[] => {
    const path = ['rules', index]
    const named = isObject(value) && typeof value.name === 'string' ? value.name : null
    const refuse = (step: JsonPath, message: string) => {
      noting.note([...path, ...step], message, named && toVisibleText(named).slice(0, 80))
    }
    const before = noting.problems.length
    const read = readRule(value, refuse)
    const name = read?.rule.name
    if (name !== undefined) {
      if (names.has(name)) refuse(['name'], 'is the name of an earlier rule')
      names.add(name)
    }
    if (read && !targets.named.has(read.rule.webhook)) {
      refuse(['webhook'], 'is not the name of a webhook')
    }
    if (read && targets.named.has(read.rule.webhook) && !targets.read.has(read.rule.webhook)) {
      refuse(['webhook'], 'is a webhook that cannot be used')
    }
    return read && noting.problems.length === before ? [{ ...read, source: source.source }] : []
  })
}

function readRule(
  value: unknown,
  refuse: (step: JsonPath, message: string) => void,
): Omit<ReadRule, 'source'> | null {
  if (!isObject(value)) {
    refuse([], 'is not an object')
    return null
  }
  const parsed = alertRule.safeParse(value)
  if (!parsed.success) {
    const note = (path: JsonPath, message: string) => refuse(path, message)
    for (const issue of parsed.error.issues) noteIssue(issue, { path: [], note, rule: null })
    return null
  }
  const rule = parsed.data
  if (rule.kind !== 'ratings') return { rule, definition: toDefinition(rule), query: null }
  const query = parseRatingsQuery(new URLSearchParams(rule.query.replace(/^\?/, '')))
  if (!query.ok) {
    for (const { parameter, message } of query.issues) {
      refuse(['query'], `does not parse: ${toVisibleText(parameter)} ${message}`)
    }
    return null
  }
  if (query.value.asof !== null) {
    refuse(['query'], 'contains asof, which a rule cannot use')
    return null
  }
  return { rule, definition: toDefinition(rule), query: query.value }
}

type IssueContext = {
  path: JsonPath
  note: (path: JsonPath, message: string, rule?: string | null) => void
  rule: string | null
}

function noteIssue(issue: z.core.$ZodIssue, { path, note, rule }: IssueContext): void {
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) note([...path, ...issue.path, key], 'is unknown', rule)
    return
  }
  const message =
    issue.message === 'Invalid input' || issue.message === '' ? toTypeMessage(issue) : issue.message
  note([...path, ...issue.path], message, rule)
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'is missing, or is not text',
  object: 'is not an object',
  array: 'is not a list',
  record: 'is not an object',
}

const toTypeMessage = (issue: z.core.$ZodIssue): string =>
  (issue.code === 'invalid_type' && TYPES[issue.expected]) || 'is invalid'

function toDefinition({ name: _name, webhook: _webhook, ...asked }: AlertRule): string {
  const { at_most_an_hour: _most, quiet_hours: _quiet, ...rest } = asked
  const content =
    'symbols' in rest ? { ...rest, symbols: [...rest.symbols.map(toSymbolKey)].sort() } : rest
  const sorted = Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(sorted)).digest('base64url').slice(0, 22)
}

function toSyntaxProblem(text: string, source: RuleSource): AlertProblem {
  const line = findBrokenLine(text)
  return { source, place: '', line, rule: null, message: 'is not valid JSON from here on' }
}

/** The file wins if both use a name. */
export function joinBooks(file: RuleBook, form: RuleBook): RuleBook {
  const taken = new Set(file.rules.map(({ rule }) => rule.name))
  const doubled = form.rules.filter(({ rule }) => taken.has(rule.name))
  return {
    rules: [...file.rules, ...form.rules.filter(({ rule }) => !taken.has(rule.name))],
    targets: new Map([...form.targets, ...file.targets]),
    problems: [
      ...file.problems,
      ...form.problems,
      ...doubled.map(
        ({ rule }): AlertProblem => ({
          source: 'form',
          place: 'name',
          line: null,
          rule: rule.name,
          message: 'is also the name of a rule in ALERTS_FILE, which takes precedence',
        }),
      ),
    ],
  }
}

type JsonPath = readonly PropertyKey[]

/** Lines start at 1. A missing value gets the line of its innermost existing parent. */
export function createLineFinder(text: string): (path: JsonPath) => number {
  const root = readTree(text, [])
  return (path) => {
    const steps = path.filter((step) => typeof step !== 'symbol')
    let found: Node | undefined
    for (let depth = steps.length; root && !found; depth -= 1) {
      found = findNodeAtLocation(root, steps.slice(0, depth))
    }
    return toLine(text, found?.offset ?? 0)
  }
}

/** Null if the text is valid or nested too deeply. */
export function findBrokenLine(text: string): number | null {
  const errors: ParseError[] = []
  readTree(text, errors)
  return errors[0] === undefined ? null : toLine(text, errors[0].offset)
}

function readTree(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { disallowComments: true })
  } catch {
    return undefined
  }
}

const toLine = (text: string, offset: number) => text.slice(0, offset).split('\n').length
