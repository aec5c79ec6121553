import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SECRET } from '#testing/alerts/open-receiver.ts'
import { runArchive } from '../archive.ts'

const rule = { name: 'Apple', webhook: 'chat', kind: 'ratings', query: 'symbol=AAPL' }
const webhook = { url: 'https://chat.example/hooks/abc', secret: SECRET }

function open() {
  const dataDir = mkdtempSync(join(tmpdir(), 'bellwether-import-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const file = join(dataDir, 'alerts.json')
  const secretFile = join(dataDir, 'secret')
  writeFileSync(secretFile, `${SECRET}\n`)
  const importFile = async (content: unknown) => {
    const lines: string[] = []
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    const status = await runArchive(['import-alerts', file], {
      dataDir,
      backupFolder: dataDir,
      print: (line) => lines.push(line),
      printError: (line) => lines.push(line),
    })
    return { status, text: lines.join('\n') }
  }
  const stored = () => JSON.parse(readFileSync(join(dataDir, 'alerts', 'rules.json'), 'utf8'))
  return { importFile, stored, secretFile }
}

test('adds rules and webhooks of a file, and names what it leaves out of them', async () => {
  const { importFile, stored, secretFile } = open()
  const quiet_hours = { from: '22:00', to: '07:00', zone: 'Europe/Berlin' }
  const { status, text } = await importFile({
    $schema: 'x',
    webhooks: {
      chat: webhook,
      desk: { url: 'https://desk.example/', secret_file: secretFile },
      idle: webhook,
    },
    rules: [
      { ...rule, quiet_hours },
      { ...rule, name: 'Sync', webhook: 'desk', kind: 'sync', query: undefined },
      { ...rule, name: 'All', query: '', at_most_an_hour: 2 },
    ],
  })
  expect(status).toBe(0)
  expect(text.split('\n')).toEqual([
    '3 alert rules imported. Remove ALERTS_FILE from the settings.',
    '! “Apple” has no quiet hours anymore.',
    '! “All” has no limit of messages an hour anymore.',
    '! The webhook “idle” has no rule and was left out.',
  ])
  expect(stored()).toEqual({
    webhooks: [
      { name: 'chat', ...webhook },
      { name: 'desk', url: 'https://desk.example/', secret: SECRET },
    ],
    rules: [
      rule,
      { name: 'Sync', webhook: 'desk', kind: 'sync' },
      { ...rule, name: 'All', query: '' },
    ],
  })
})

test('adds nothing if one rule is invalid, exists or has no secret that can be read', async () => {
  const { importFile, stored } = open()
  const webhooks = { chat: webhook }
  expect(await importFile({ webhooks, rules: [rule] })).toMatchObject({ status: 0 })
  const before = stored()
  const wrong = { ...rule, name: 'Old', query: 'stars=5' }
  const { status, text } = await importFile({ webhooks, rules: [rule, wrong] })
  expect([status, text]).toEqual([
    1,
    expect.stringMatching(
      /“Apple”: name is the name of another rule\.\n“Old”: webhook is the name/,
    ),
  ])
  const unread = { webhooks: { desk: { url: webhook.url, secret_file: '/none' } }, rules: [] }
  expect((await importFile(unread)).text).toContain('/none, which a webhook names')
  const broken = await importFile(`{ "webhooks": "${SECRET}"`)
  expect(broken).toEqual({ status: 1, text: expect.stringContaining('is not a JSON file') })
  expect(broken.text).not.toContain(SECRET)
  expect(stored()).toEqual(before)
})
