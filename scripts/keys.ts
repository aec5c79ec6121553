import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { toDateText } from '#lib/contract/instant-text.ts'
import { createKeys, KeyProblem, type StoredKey } from '#lib/service/keys.ts'

const USAGE = `Keys of the embedded ratings service, in DATA_DIR/service.

  npm run keys -- create NAME [--per-minute N] [--per-month N]   prints the key, once, as the last line
  npm run keys -- list
  npm run keys -- revoke NAME                                    takes effect at once, also while the server runs
`

const keys = () => {
  const dir = join(process.env.DATA_DIR || './data', 'service')
  return createKeys({ dir, now: () => Math.floor(Date.now() / 1000), sleep: setTimeout })
}

async function main(): Promise<void> {
  const { values, positionals } = readArguments()
  const [command, name, ...rest] = positionals
  const wantsName = command === 'create' || command === 'revoke'
  if (values.help || command === undefined) return print([USAGE.trimEnd()])
  if (rest.length > 0 || (name !== undefined) !== wantsName) throw new UsageProblem(USAGE)
  if (command === 'list') return print((await keys().list()).map(toLine))
  if (command === 'create' && name !== undefined) {
    const perMinute = readLimit('--per-minute', values['per-minute'])
    const perMonth = readLimit('--per-month', values['per-month'])
    const key = await keys().create(name, { perMinute, perMonth })
    return print([`The key of ${name}, shown only now:`, key])
  }
  if (command === 'revoke' && name !== undefined) {
    await keys().revoke(name)
    return print([`${name} is revoked.`])
  }
  throw new UsageProblem(USAGE)
}

class UsageProblem extends Error {}

function readArguments() {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      allowPositionals: true,
      options: { 'per-minute': text, 'per-month': text, help: { type: 'boolean', short: 'h' } },
    })
  } catch {
    throw new UsageProblem(USAGE)
  }
}

function readLimit(option: string, text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UsageProblem(`${option} takes a whole number from 1.\n`)
  return Number(text)
}

function toLine(key: StoredKey): string {
  const state = key.revoked_at === null ? 'active' : `revoked ${toDateText(key.revoked_at)} UTC`
  const minute = key.per_minute === null ? '' : ` · ${key.per_minute} a minute`
  const month = key.per_month === null ? '' : ` · ${key.per_month} a month`
  return `${key.name} · made ${toDateText(key.created_at)} UTC · ${state}${minute}${month}`
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

try {
  await main()
} catch (error) {
  const wrongUse = error instanceof UsageProblem
  const known = wrongUse || error instanceof KeyProblem
  process.stderr.write(known ? `${error.message.trimEnd()}\n` : `${String(error)}\n`)
  process.exitCode = wrongUse ? 2 : 1
}
