import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type Assistant, openAssistant, toAssistant } from '#testing/mcp/assistant.ts'
import { makeToken, runAccess, untilFilled } from './support/accounts.ts'
import { type RunningApp, startApp } from './support/app.ts'
import { expect, test } from './support/test.ts'

let app: RunningApp
let dataDir: string
let token: string

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  test.setTimeout(180_000)
  dataDir = mkdtempSync(join(tmpdir(), 'bellwether-assistants-'))
  await runAccess(dataDir, ['add', 'ada'], 'green stapler under water\n')
  app = await startApp({
    env: { ACCESS: 'password', DATA_DIR: dataDir, DEMO_RATINGS: '3000', DEMO_TAIL_SECONDS: '0' },
  })
  token = await makeToken(dataDir, { name: 'ada', label: 'assistant', may: 'read', url: app.url })
  await untilFilled(app.url, token)
})

test.afterAll(async () => {
  await app?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const openOverHttp = (url: string, given: string) =>
  openAssistant({ url: `${url}/mcp`, headers: { authorization: `Bearer ${given}` } })

async function openOverStdio(url: string, given: string): Promise<Assistant> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['scripts/tool.mjs', 'scripts/mcp.ts'],
    env: { ...process.env, BELLWETHER_URL: url, BELLWETHER_TOKEN: given } as never,
    stderr: 'ignore',
  })
  await client.connect(transport)
  return toAssistant(client)
}

const EXAMPLES: Readonly<Record<string, Record<string, unknown>>> = {
  summarize_symbol: { symbol: 'AAPL' },
  symbol_history: { symbol: 'AAPL' },
  why_it_moved: { symbol: 'AAPL' },
  compare_symbols: { symbol: ['AAPL', 'MSFT'] },
  summarize_user: { id: 1 },
}

/** What every tool says. Figures of one archive; the instants of two calls may differ. */
async function callEvery({ client, call }: Assistant) {
  const { tools } = await client.listTools()
  const answers = []
  for (const { name } of tools) {
    const { told, text, isError } = await call(name, EXAMPLES[name])
    expect(isError, text).toBe(false)
    expect(told.freshness.invented).toBe(true)
    expect(told.link).toMatch(new RegExp(`^${app.url}/`))
    answers.push({ name, n: told.n, fields: Object.keys(told.data) })
  }
  return answers
}

test('a client with a token lists and calls every tool, the same over HTTP and stdio', {
  tag: '@core',
}, async () => {
  const overHttp = await openOverHttp(app.url, token)
  const overStdio = await openOverStdio(app.url, token)
  const answers = await callEvery(overHttp)
  expect(answers).toHaveLength(9)
  expect(await callEvery(overStdio)).toEqual(answers)
  const { contents } = await overStdio.client.readResource({ uri: 'bellwether://glossary' })
  expect(contents).toMatchObject([{ text: expect.stringMatching(/^# Glossary/) }])
  await Promise.all([overHttp.close(), overStdio.close()])
})

test('a link of an answer opens the page that shows the same', async ({ page, context }) => {
  const assistant = await openOverHttp(app.url, token)
  const { told } = await assistant.call('summarize_symbol', { symbol: 'AAPL' })
  await context.setExtraHTTPHeaders({ authorization: `Bearer ${token}` })
  await page.goto(told.link)
  await expect(page.getByText(Number(told.data.consensus).toFixed(2)).first()).toBeVisible()
  await assistant.close()
})

test('without a valid token, HTTP answers 401 and stdio says what is missing', async () => {
  for (const given of ['', 'bw_wrong']) {
    await expect(openOverHttp(app.url, given)).rejects.toThrow(/401|[Uu]nauthorized/)
    const overStdio = await openOverStdio(app.url, given)
    const { text, isError } = await overStdio.call('what_changed')
    expect(isError).toBe(true)
    expect(text).toBe('Sign in first, or send a token. Set BELLWETHER_TOKEN to a valid token.')
    await overStdio.close()
  }
  const response = await fetch(`${app.url}/mcp`, { method: 'POST', body: '{}' })
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([
    401,
    'Bearer realm="Bellwether"',
  ])
})

test('a token that ends is refused from the next call on', async () => {
  const ending = await makeToken(dataDir, { name: 'ada', label: 'x', may: 'read', url: app.url })
  const assistant = await openOverHttp(app.url, ending)
  expect((await assistant.call('what_changed')).isError).toBe(false)
  const tokens = await runAccess(dataDir, ['tokens'])
  const [id = ''] = /\S+(?=.*\bx\b)/.exec(tokens) ?? []
  await runAccess(dataDir, ['take-back', id])
  const ask = async () =>
    await assistant.call('what_changed').then(
      () => 'answered',
      () => 'refused',
    )
  await expect.poll(ask).toBe('refused')
  await assistant.close()
})

test('without a dashboard, stdio says so', async () => {
  const overStdio = await openOverStdio('http://127.0.0.1:1', '')
  const { text, isError } = await overStdio.call('what_changed')
  expect(isError).toBe(true)
  expect(text).toBe('The dashboard cannot be reached at BELLWETHER_URL.')
  await overStdio.close()
})
