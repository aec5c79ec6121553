import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import {
  addRule,
  NO_RULES,
  RULES_DOCUMENT,
  RULES_FILE,
  type StoredRules,
  storedRules,
} from '#lib/alerts/rules.ts'
import { AppError } from '#lib/contract/faults.ts'
import { createSharedFile, type SharedFile } from '#lib/files/json-file.ts'
import { DATA_FILES } from '#lib/server/environment/data-folder.ts'
import { parseDatabaseUrl } from '#lib/store/address.ts'
import { connect } from '#lib/store/connection.ts'
import { createDocuments, createSharedDocuments } from '#lib/store/documents.ts'
import { type CommandContext, Problem, toCount } from './command.ts'

/** What ALERTS_FILE of earlier versions named. */
const alertsFile = z.object({
  webhooks: z.record(z.string(), z.looseObject({ secret_file: z.optional(z.string()) })),
  rules: z.array(z.looseObject({ name: z.string(), webhook: z.string() })),
})
type AlertsFile = z.output<typeof alertsFile>

/** Adds all rules or none. Throws Problem. */
export async function importAlerts(hand: CommandContext, path: string): Promise<void> {
  const content = await readAlerts(path)
  const allowsPlain = hand.environment.ALERTS_ALLOW_PRIVATE === 'on'
  await inRules(hand, async (stored) => {
    await stored.update((kept) => addAll(kept ?? NO_RULES, { ...content, allowsPlain }))
  })
  const { rules, webhooks } = content
  hand.print(`${toCount(rules.length)} alert rules imported. Remove ALERTS_FILE from the settings.`)
  for (const { name, quiet_hours: quiet, at_most_an_hour: limit } of rules) {
    if (quiet !== undefined) hand.print(`! “${name}” has no quiet hours anymore.`)
    if (limit !== undefined) hand.print(`! “${name}” has no limit of messages an hour anymore.`)
  }
  const used = new Set(rules.map(({ webhook }) => webhook))
  for (const name of Object.keys(webhooks)) {
    if (!used.has(name)) hand.print(`! The webhook “${name}” has no rule and was left out.`)
  }
}

/** Messages contain nothing of the file, which has secrets. */
async function readAlerts(path: string): Promise<AlertsFile> {
  let content: AlertsFile
  try {
    content = alertsFile.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    throw new Problem(`${path} is not a JSON file with “webhooks” and “rules”.`)
  }
  const webhooks: AlertsFile['webhooks'] = {}
  for (const [name, { secret_file: file, ...webhook }] of Object.entries(content.webhooks)) {
    if (file === undefined) webhooks[name] = webhook
    else webhooks[name] = { ...webhook, secret: await readSecret(file) }
  }
  return { ...content, webhooks }
}

async function readSecret(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch {
    throw new Problem(`${path}, which a webhook names as its secret_file, cannot be read.`)
  }
}

function addAll(
  stored: StoredRules,
  { webhooks, rules, allowsPlain }: AlertsFile & { allowsPlain: boolean },
): StoredRules {
  const imported = new Set<string>()
  const problems: string[] = []
  let content = stored
  for (const { quiet_hours: _quiet, at_most_an_hour: _limit, ...rule } of rules) {
    const target = imported.has(rule.webhook) ? undefined : webhooks[rule.webhook]
    try {
      content = addRule(content, { rule, target }, allowsPlain)
      if (target) imported.add(rule.webhook)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      problems.push(`“${rule.name}”: ${error.message}`)
    }
  }
  if (problems.length === 0) return content
  throw new Problem(['No rule was imported.', ...problems].join('\n'))
}

async function inRules(
  { dataDir, databaseUrl, now }: CommandContext,
  work: (stored: SharedFile<StoredRules>) => Promise<void>,
): Promise<void> {
  if (databaseUrl === null) {
    const path = join(dataDir, DATA_FILES.alerts, RULES_FILE)
    return await work(createSharedFile({ path, schema: storedRules, now, sleep }))
  }
  const parsed = parseDatabaseUrl(databaseUrl)
  if (!parsed.ok) throw new Problem(`DATABASE_URL ${parsed.problem}.`)
  const { address } = parsed
  const sql = connect({ address, connections: 1, applicationName: 'bellwether import-alerts' })
  try {
    const documents = createSharedDocuments(createDocuments({ sql }))
    await work(documents.open(RULES_DOCUMENT, storedRules))
  } finally {
    await sql.end({ timeout: 2 })
  }
}
