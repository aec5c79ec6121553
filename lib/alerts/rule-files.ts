import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import { RULES_MAX, wantedRule } from '#lib/contract/alert-rules.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { SharedFile } from '#lib/files/json-file.ts'
import {
  EMPTY_BOOK,
  joinBooks,
  parseRules,
  type RuleBook,
  readRules,
  type Target,
} from './rules.ts'

const FILE_MAX_BYTES = 8 * 1024 * 1024

const formRule = z.looseObject({ name: z.string(), webhook: z.string() })
export const formRules = z.object({
  webhooks: z.array(
    z.object({
      name: z.string(),
      url: z.string(),
      secret: z.string(),
      format: z.optional(z.string()),
    }),
  ),
  rules: z.array(formRule),
})
export type FormRules = z.infer<typeof formRules>

const NO_FORM_RULES: FormRules = { webhooks: [], rules: [] }

export type RuleFiles = {
  /** Throws only if the record store fails. */
  look(): Promise<RuleBook>
  book(): RuleBook
  readAt(): number | null
  add(wanted: unknown): Promise<void>
  /** Also removes webhooks that no form rule uses. Throws AppError. */
  remove(name: string): Promise<void>
}

type RuleFilesOptions = {
  file: string | null
  form: SharedFile<FormRules>
  allowsPlain: boolean
  now: () => number
  hide: (secret: string) => void
}

export function createRuleFiles(options: RuleFilesOptions): RuleFiles {
  const { file, form, allowsPlain, now } = options
  const hide = createSecretHiding(options.hide)
  let ofFile: RuleBook = EMPTY_BOOK
  let known: string | null = null
  let readAt: number | null = null
  let book: RuleBook = EMPTY_BOOK
  let joined: { ofFile: RuleBook; content: FormRules } | null = null
  let secretFiles: readonly string[] = []

  const lookAtFile = async (path: string) => {
    const read = await readText(path)
    const secrets = await readAll(secretFiles)
    const mark = JSON.stringify([read, [...secrets]])
    if (mark === known) return
    readAt = now()
    const found = read.ok ? await parseFile(read.text) : toUnread(read.problem)
    // If the whole file is invalid, the last valid rules stay active.
    const isWhole = found.problems.every(({ place }) => place !== '')
    ofFile = isWhole ? found : { ...ofFile, problems: found.problems }
    known = isWhole ? JSON.stringify([read, [...(await readAll(secretFiles))]]) : mark
  }
  const parseFile = async (text: string): Promise<RuleBook> => {
    const paths = selectSecretFiles(text)
    secretFiles = paths
    const secrets = await readAll(paths)
    const readSecret = (path: string) => {
      const secret = secrets.get(path)
      if (secret == null) throw new Error('no such file')
      return secret
    }
    return parseRules(text, { source: 'file', readSecret, allowsPlain })
  }
  const readForm = (content: FormRules, others: ReadonlyMap<string, Target>): RuleBook =>
    readRules(toContent(content), { source: 'form', readSecret: null, allowsPlain, others })

  return {
    async look() {
      if (file !== null) await lookAtFile(file)
      const content = (await form.load()) ?? NO_FORM_RULES
      if (joined?.ofFile === ofFile && joined.content === content) return book
      book = joinBooks(ofFile, readForm(content, ofFile.targets))
      joined = { ofFile, content }
      for (const target of book.targets.values()) hide(target)
      return book
    },
    book: () => book,
    readAt: () => readAt,
    async add(wanted) {
      const { rule, target } = parseWanted(wanted)
      if (ofFile.rules.some((one) => one.rule.name === rule.name)) {
        throw toRefusal('name', 'is the name of a rule in ALERTS_FILE')
      }
      if (target && ofFile.targets.has(rule.webhook)) {
        throw toRefusal('webhook', 'is the name of a webhook in ALERTS_FILE')
      }
      await form.update((kept) => {
        const content = withRule(kept ?? NO_FORM_RULES, rule, target)
        refuseProblems(readForm(content, ofFile.targets), content)
        return content
      })
    },
    async remove(name) {
      await form.update((kept) => {
        const { rules, webhooks } = kept ?? NO_FORM_RULES
        const rest = rules.filter((rule) => rule.name !== name)
        if (rest.length === rules.length) {
          throw new AppError('not_found', 'No rule added here has that name.')
        }
        const named = new Set(rest.map(({ webhook }) => webhook))
        return { rules: rest, webhooks: webhooks.filter((one) => named.has(one.name)) }
      })
    },
  }
}

type Read = { ok: true; text: string } | { ok: false; problem: string }

async function readText(path: string): Promise<Read> {
  try {
    const bytes = await readFile(path)
    if (bytes.byteLength <= FILE_MAX_BYTES) return { ok: true, text: bytes.toString('utf8') }
    return { ok: false, problem: 'is larger than 8 MiB: it is not a file of rules' }
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return { ok: false, problem: isMissing ? 'is missing' : 'cannot be read' }
  }
}

const toUnread = (message: string): RuleBook => ({
  ...EMPTY_BOOK,
  problems: [{ source: 'file', place: '', line: null, rule: null, message }],
})

async function readAll(paths: readonly string[]): Promise<Map<string, string | null>> {
  const read = paths.map(async (path): Promise<[string, string | null]> => {
    const found = await readText(path)
    return [path, found.ok ? found.text : null]
  })
  return new Map(await Promise.all(read))
}

function selectSecretFiles(text: string): string[] {
  const shape = z.looseObject({
    webhooks: z.record(z.string(), z.looseObject({ secret_file: z.optional(z.unknown()) })),
  })
  try {
    const { webhooks } = shape.parse(JSON.parse(text))
    return Object.values(webhooks).flatMap(({ secret_file: path }) =>
      typeof path === 'string' ? [path] : [],
    )
  } catch {
    return []
  }
}

const LONG = 16

/** Paths of webhook URLs are often credentials. */
function createSecretHiding(hide: RuleFilesOptions['hide']): (target: Target) => void {
  const hidden = new Set<string>()
  return ({ url, secret }) => {
    for (const part of [secret, url.pathname, url.search]) {
      if (part.length < LONG || hidden.has(part)) continue
      hidden.add(part)
      hide(part)
    }
  }
}

const toContent = ({ webhooks, rules }: FormRules) => ({
  webhooks: Object.fromEntries(webhooks.map(({ name, ...webhook }) => [name, webhook])),
  rules,
})

type RuleDefinition = {
  rule: FormRules['rules'][number]
  target: Omit<FormRules['webhooks'][number], 'name'> | undefined
}

function parseWanted(wanted: unknown): RuleDefinition {
  const parsed = wantedRule.safeParse(wanted)
  const rule = formRule.safeParse(parsed.success ? parsed.data.rule : null)
  if (!parsed.success || !rule.success) {
    throw new AppError('bad_request', 'The body must have a rule with a name and a webhook.')
  }
  return { rule: rule.data, target: parsed.data.target }
}

function withRule(
  kept: FormRules,
  rule: RuleDefinition['rule'],
  target: RuleDefinition['target'],
): FormRules {
  if (kept.rules.length >= RULES_MAX) {
    throw new AppError('bad_request', `There are already ${RULES_MAX} rules.`)
  }
  if (kept.rules.some((one) => one.name === rule.name)) {
    throw toRefusal('name', 'is the name of another rule')
  }
  if (target && kept.webhooks.some((one) => one.name === rule.webhook)) {
    throw toRefusal('webhook', 'is the name of another webhook')
  }
  const webhooks = target ? [...kept.webhooks, { name: rule.webhook, ...target }] : kept.webhooks
  return { webhooks, rules: [...kept.rules, rule] }
}

function refuseProblems({ problems }: RuleBook, { rules, webhooks }: FormRules): void {
  const own = [`rules[${rules.length - 1}]`, `webhooks.${webhooks.at(-1)?.name ?? ''}`]
  const issues = problems.flatMap(({ place, message }) => {
    const root = own.find((one) => place === one || place.startsWith(`${one}.`))
    if (root === undefined) return []
    return [{ parameter: place.slice(root.length + 1) || 'rule', message }]
  })
  if (issues.length > 0) throw toRefusals(issues)
}

const toRefusal = (parameter: string, message: string) => toRefusals([{ parameter, message }])

const toRefusals = (issues: { parameter: string; message: string }[]) =>
  new AppError(
    'bad_request',
    `${issues.map(({ parameter, message }) => `${parameter} ${message}`).join('; ')}.`,
    { issues },
  )
