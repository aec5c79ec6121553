import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { selectPermission } from '../lib/access/route-permissions.ts'
import type { Permission } from '../lib/contract/answers/access.ts'
import { permits } from '../lib/contract/caller.ts'
import { SEED } from '../testing/draws.ts'
import { listAddresses } from '../testing/server/addresses.ts'
import { makeToken, runAccess, signInByForm, untilFilled } from './support/accounts.ts'
import { type RunningApp, startApp } from './support/app.ts'
import { createOddRequests, type OddRequest } from './support/odd-requests.ts'
import { type OddAnswer, sendOdd } from './support/send-odd.ts'
import { expect, test } from './support/test.ts'

const COUNT = Number(process.env.ODD_COUNT ?? 5000)
/** Caches are full by then. */
const FIRST = Math.round(COUNT / 5)
const AT_ONCE = 12
const GROWTH_MAX_BYTES = 150 * 1024 * 1024

const PASSWORDS = {
  reading: 'blue lantern over hills',
  running: 'green stapler under water',
  ada: 'some other words of hers',
} as const

let app: RunningApp
let dataDir: string

type TestClient = {
  who: string
  may: readonly Permission[]
  shown: readonly (readonly [name: string, value: string])[]
  renew?: () => Promise<void>
}
let askers: TestClient[]
const secrets: string[] = Object.values(PASSWORDS)

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  test.setTimeout(180_000)
  dataDir = mkdtempSync(join(tmpdir(), 'bellwether-odd-'))
  for (const [name, password] of Object.entries(PASSWORDS)) {
    await runAccess(dataDir, ['add', name], `${password}\n`)
  }
  await runAccess(dataDir, ['role', 'running', 'operator'])
  app = await startApp({
    env: {
      ACCESS: 'password',
      DATA_DIR: dataDir,
      DEMO_RATINGS: '500',
      DEMO_TAIL_SECONDS: '0',
      LOG_LEVEL: 'debug',
      FORCE_COLOR: '',
      NO_COLOR: '1',
    },
  })
  const tokens = {
    reading: await makeToken(dataDir, {
      name: 'reading',
      label: 'odd',
      may: 'read,export',
      url: app.url,
    }),
    running: await makeToken(dataDir, {
      name: 'running',
      label: 'odd',
      may: 'read,export,sync,inspect',
      url: app.url,
    }),
  }
  await untilFilled(app.url, tokens.running)
  const byToken = (name: 'reading' | 'running') =>
    [['authorization', `Bearer ${tokens[name]}`]] as const
  const byCookie = async (name: 'reading' | 'running') => {
    const cookie = await signInByForm(app.url, { name, password: PASSWORDS[name] })
    secrets.push(cookie.split('=')[1] ?? '')
    return [['cookie', cookie] as const, ['sec-fetch-site', 'same-origin'] as const]
  }
  const toPerson = async (name: 'reading' | 'running', who: Pick<TestClient, 'who' | 'may'>) => {
    let renewing: Promise<void> | null = null
    const client: TestClient = { ...who, shown: await byCookie(name) }
    const renew = async () => {
      client.shown = await byCookie(name)
      renewing = null
    }
    client.renew = () => {
      renewing ??= renew()
      return renewing
    }
    return client
  }
  secrets.push(tokens.reading, tokens.running)
  const reader: Permission[] = ['read', 'export']
  const operator: Permission[] = [...reader, 'sync', 'inspect']
  askers = [
    { who: 'nobody', may: [], shown: [] },
    { who: 'a reader’s token', may: reader, shown: byToken('reading') },
    { who: 'an operator’s token', may: operator, shown: byToken('running') },
    await toPerson('reading', { who: 'a reader', may: reader }),
    await toPerson('running', { who: 'an operator', may: [...operator, 'manage'] }),
  ]
})

test.afterAll(async () => {
  await app?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const ADDRESSES = [
  ...listAddresses(),
  ...['/service', '/service/v1/posts', '/service/v1/posts/dumps', '/no-such-page', '/api/no-such'],
  ...[
    '/_next/image?url=/icon.svg&w=64&q=75',
    '/_next/data/x/index.json',
    '/_next/static/chunks/x.js',
  ],
  ...['/_next/webpack-hmr', '/__nextjs_original-stack-frames', '/404', '/500', '/_error'],
  '/_not-found',
  ...['/.env', '/.git/config', '/.well-known/security.txt', '/api/access', '/index'],
  '/package.json',
]

const OF_RATINGS = /rating_label|tally_agree|data-rating=|"generation\\*"|"mode\\*":/
const OF_THE_OPERATOR =
  /^bellwether_ratings\{? ?\d|outcome\\*":\\*"(?:done|refused)|locked_at\\*":(?:null|\d)/m

const OF_THE_MACHINE = () =>
  new RegExp(
    [process.cwd(), dataDir, '\\n\\s+at [^\\n]+:\\d+:\\d+', 'node:internal', '/node_modules/'].join(
      '|',
    ),
  )

function toPath(target: string): string | null {
  const whole = target.startsWith('/') ? `http://here${target}` : target
  if (!URL.canParse(whole)) return null
  const pathname = new URL(whole).pathname.replace(/%[0-7][0-9a-f]/gi, (encoded) => {
    const character = decodeURIComponent(encoded)
    return /[\w.~-]/.test(character) ? character : encoded
  })
  return pathname === '/' ? pathname : pathname.replace(/\/$/, '')
}

const isGiven = (status: number) => (status >= 200 && status < 300) || status === 304

function findFault(client: TestClient, odd: OddRequest, answer: OddAnswer | null): string | null {
  if (answer === null) return 'neither an answer nor an end'
  const { status, head, headers, body } = answer
  if (status >= 500 && !(status === 503 && headers['retry-after'])) return 'a failure of the server'
  const path = toPath(odd.target)
  const need = path === null ? null : selectPermission(path)
  const isOpen = need === 'public' || (need !== null && permits(client.may, need))
  if (isGiven(status) && !isOpen) {
    return `let in to what takes ${need ?? 'more than anybody has'}`
  }
  const isScript =
    path?.startsWith('/_next/static/') && /script/.test(headers['content-type'] ?? '')
  const asked = odd.target + odd.body + odd.headers.flat().join()
  const own = (text: RegExp) => {
    const found = isScript ? undefined : text.exec(head + body)?.[0]
    return found !== undefined && !asked.includes(found)
  }
  if (client.may.length === 0 && own(OF_RATINGS)) return 'ratings for nobody'
  if (!client.may.includes('inspect') && own(OF_THE_OPERATOR))
    return 'what only an operator may see'
  if (own(OF_THE_MACHINE())) return 'a trace of the machine'
  if (/^x-injected:/im.test(head)) return 'a header that was asked for'
  const { location } = headers
  if (location !== undefined && new URL(location, app.url).host !== new URL(app.url).host) {
    return 'led to another host'
  }
  return null
}

const show = (text: string, most = 400) =>
  text.length > most ? `${text.slice(0, most)}… (${text.length})` : text

function isSignedOut(
  { shown }: TestClient,
  { headers }: OddRequest,
  answer: OddAnswer | null,
): boolean {
  const isAway = answer?.status === 401 || answer?.headers.location?.startsWith('/sign-in')
  const count = (name: string) => headers.filter((one) => one[0].toLowerCase() === name).length
  return (
    isAway === true && shown.every(([name]) => count(name) === 1) && count('authorization') === 0
  )
}

async function sendAll(make: ReturnType<typeof createOddRequests>, count: number) {
  const faults: string[] = []
  const statuses = new Map<number, number>()
  let left = count
  const sendOn = async () => {
    while (left > 0) {
      left -= 1
      const asker = askers[left % askers.length] as TestClient
      const odd = make({ addresses: ADDRESSES, shown: asker.shown, secrets })
      const answer = await sendOdd(app.url, odd)
      if (isSignedOut(asker, odd, answer)) await asker.renew?.()
      statuses.set(answer?.status ?? -1, (statuses.get(answer?.status ?? -1) ?? 0) + 1)
      for (const line of answer?.head.match(/^set-cookie: [^=]*=[^;]{20,}/gim) ?? []) {
        secrets.push(line.slice(line.indexOf('=') + 1))
      }
      secrets.push(...(answer?.body.match(/\bbw_[A-Za-z0-9_-]{43}\b/g) ?? []))
      const fault = findFault(asker, odd, answer)
      if (fault === null) continue
      const sent = show(JSON.stringify(odd), 1500)
      faults.push(
        `${asker.who}: ${fault}\n  ${sent}\n  ${show(answer?.head ?? '')}\n  ${show(answer?.body ?? '')}`,
      )
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendOn))
  return { faults, statuses }
}

function readMemory(): number | null {
  const file = `/proc/${app.pid}/status`
  if (!existsSync(file)) return null
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 0) * 1024
}

test('thousands of odd requests get an answer each, and nobody sees more than he may', async () => {
  test.setTimeout(300_000)
  const make = createOddRequests(SEED)
  const first = await sendAll(make, FIRST)
  const before = readMemory()
  const rest = await sendAll(make, COUNT - FIRST)
  const after = readMemory()
  const faults = [...first.faults, ...rest.faults]
  const seed = `DRAW_SEED=${SEED}`
  expect(faults.slice(0, 10), `${faults.length} answers, with ${seed}`).toEqual([])
  expect(
    [...rest.statuses.values()].reduce((sum, count) => sum + count),
    'all of them were sent',
  ).toBe(COUNT - FIRST)
  if (before !== null && after !== null) {
    expect(after - before, `bytes of memory, with ${seed}`).toBeLessThan(GROWTH_MAX_BYTES)
  }
})

test('after them the dashboard lives, and answers at once', async () => {
  const response = await fetch(`${app.url}/api/health`, { signal: AbortSignal.timeout(1000) })
  expect(response.status).toBe(200)
  for (const { who, may, shown } of askers.slice(1, 3)) {
    const headers = Object.fromEntries(shown)
    const asked = async (path: string) => (await fetch(app.url + path, { headers })).status
    expect(await asked('/api/ratings'), who).toBe(200)
    expect(await asked('/api/metrics'), who).toBe(may.includes('inspect') ? 200 : 403)
  }
})

test('its log has neither secrets nor characters that a terminal obeys', async () => {
  const log = app.log()
  const held = readFileSync(join(dataDir, 'access', 'audit.ndjson'), 'utf8')
  for (const text of [log, held]) {
    const odd = text.split('\n').filter((line) => /\p{Cc}/u.test(line))
    expect(odd.map((line) => JSON.stringify(line)).slice(0, 5), `DRAW_SEED=${SEED}`).toEqual([])
    for (const secret of secrets) expect(text.includes(secret), `DRAW_SEED=${SEED}`).toBe(false)
  }
  const [, ...lines] = log
    .slice(log.indexOf('Bellwether is at'))
    .split('\n')
    .filter((line) => line !== '')
  expect(lines.length).toBeGreaterThan(COUNT / 2)
  for (const line of lines) expect(line).toMatch(/^\{.*\}$/)
})
