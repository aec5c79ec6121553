import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RunningApp, startApp } from './support/app.ts'
import { expect, test } from './support/test.ts'

let app: RunningApp

test.beforeAll(async () => {
  test.setTimeout(120_000)
  app = await startApp({
    env: { DEMO_RATINGS: '30000', DEMO_TAIL_SECONDS: '0', LOG_LEVEL: 'debug' },
  })
  await expect.poll(async () => (await readStatus()).sync.state, { timeout: 60_000 }).toBe('idle')
})

const readStatus = async () => (await (await fetch(`${app.url}/api/status`)).json()).data

test.afterAll(async () => {
  await app?.stop()
})

const lines = (): Record<string, unknown>[] =>
  app
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

test('an idle connection stays open longer than a proxy in front keeps one', async () => {
  const answer = await fetch(`${app.url}/api/health`)
  expect(answer.headers.get('keep-alive')).toBe('timeout=75')
})

test('live, ready and degraded are told apart, and the metrics count what was asked', {
  tag: '@core',
}, async ({ request }) => {
  for (const probe of ['', '?probe=live', '?probe=ready']) {
    const health = await request.get(`${app.url}/api/health${probe}`)
    expect(health.status()).toBe(200)
    expect((await health.json()).data).toMatchObject({ live: true, ready: true })
  }
  expect((await request.get(`${app.url}/api/health?probe=dead`)).status()).toBe(400)
  const metrics = await request.get(`${app.url}/api/metrics`)
  expect(metrics.headers()['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
  const text = await metrics.text()
  const { archive } = await readStatus()
  expect(text).toContain(`\nbellwether_ratings ${archive.ratings}\n`)
  expect(text).toMatch(/\nbellwether_http_request_duration_seconds_count\{route="\/api\/health"/)
  expect(text).toMatch(/\nbellwether_service_attempt_duration_seconds_count\{endpoint="posts"/)
  expect(text).toMatch(/\nnodejs_eventloop_lag_seconds /)
})

/** SQL that only an import runs. */
const OF_AN_IMPORT = 'create temporary table neighbor as'
const BUILT = '.next/server'

test('one file of the build holds what the process is made of, so that its text is in memory once', () => {
  const files = readdirSync(BUILT, { recursive: true, encoding: 'utf8' })
  const scripts = files.filter((file) => file.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(50)
  const holding = scripts.filter((file) =>
    readFileSync(join(BUILT, file), 'utf8').includes(OF_AN_IMPORT),
  )
  expect(holding).toHaveLength(1)
})

test('SIGTERM lets running answers finish, closes the archive before its deadline, and exits with 0', {
  tag: '@core',
}, async () => {
  // Bodies are in flight when the signal comes.
  const [dump, table] = await Promise.all([
    fetch(`${app.url}/api/v1/posts/dumps`),
    fetch(`${app.url}/api/ratings.csv`),
  ])
  const [code, ...files] = await Promise.all([app.stop(), dump.text(), table.text()])
  expect(code).toBe(0)
  expect(files[0]?.length).toBe(Number(dump.headers.get('content-length')))
  expect(files[1]?.trimEnd().split('\n').length).toBe(
    1 + Number(table.headers.get('bellwether-rows')),
  )
  expect(lines().map(({ message }) => message)).toEqual(
    expect.arrayContaining(['stopping', 'stopped']),
  )
})

test('what the build passes on holds nothing that makes pictures smaller', () => {
  const traced = JSON.parse(readFileSync('.next/next-server.js.nft.json', 'utf8'))
  expect(traced.files.length).toBeGreaterThan(100)
  expect(traced.files.filter((file: string) => /sharp|@img/.test(file))).toEqual([])
})
