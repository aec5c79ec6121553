import type { Page } from '@playwright/test'
import postgres from 'postgres'
import type { Status } from '#lib/contract/answers/status.ts'
import { SEED } from '#testing/draws.ts'
import { makeRating } from '#testing/make-ratings.ts'
import { type Balancer, startBalancer } from '#testing/nodes/balancer.ts'
import { createNodeProcess, type NodeProcess } from '#testing/nodes/cluster.ts'
import { createRandom } from '#testing/random.ts'
import { type PostgresServer, startPostgres } from '#testing/store/postgres.ts'
import { freshnessLine } from './support/operator.ts'
import { type SmallService, startSmallService } from './support/small-service.ts'
import { expect, test } from './support/test.ts'

const KEY = 'key-of-several-nodes'
const FIRST = 300
const PER_MINUTE = 60
/** Only catches hangs. */
const PATIENCE_MS = 60_000

let service: SmallService
let server: PostgresServer
let sql: postgres.Sql
let nodes: NodeProcess[]
let balancer: Balancer
let posted = FIRST

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  service = await startSmallService(KEY, FIRST)
  server = await startPostgres()
  const databaseUrl = await server.database('nodes')
  sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  nodes = await Promise.all(
    ['one', 'two', 'three'].map((name) =>
      createNodeProcess({
        name,
        databaseUrl,
        service: { url: service.url, key: KEY },
        env: { RATINGS_PER_MINUTE: String(PER_MINUTE) },
      }),
    ),
  )
  balancer = await startBalancer(nodes.map(({ port }) => port))
})

test.afterAll(async () => {
  await balancer?.close()
  for (const node of nodes ?? []) await node.close()
  await sql?.end({ timeout: 1 })
  await server?.close()
  await service?.stop()
})

const load = async <T>(url: string): Promise<T> => (await (await fetch(url)).json()) as T

const loadStatus = async ({ url }: NodeProcess) =>
  (await load<{ data: Status }>(`${url}/api/status`)).data

const askForSync = ({ url }: NodeProcess) =>
  fetch(`${url}/api/sync`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: '{}',
  })

async function selectLeader(): Promise<{ node: NodeProcess; epoch: number } | null> {
  const [lease] = await sql<{ holder: string | null; epoch: number }[]>`
    select holder, epoch::float8 as epoch from bellwether.lease where until >= clock_timestamp()`
  const node = nodes.find(({ name }) => name === lease?.holder)
  return node && lease ? { node, epoch: lease.epoch } : null
}

async function untilLeader(isIt: (node: NodeProcess) => boolean = () => true) {
  let found = await selectLeader()
  await expect
    .poll(
      async () => {
        found = await selectLeader()
        return found !== null && isIt(found.node)
      },
      { timeout: PATIENCE_MS, intervals: [100] },
    )
    .toBe(true)
  if (!found) throw new Error('nobody syncs')
  return found
}

const followersOf = (leader: NodeProcess) => nodes.filter((node) => node !== leader)

function post(): void {
  posted += 1
  service.ratings.push(makeRating(posted, { created_at: Math.floor(Date.now() / 1000) }))
}

const untilHeld = async (some: readonly NodeProcess[]) =>
  await expect
    .poll(
      async () =>
        await Promise.all(some.map(async (node) => (await loadStatus(node)).archive.ratings)),
      { timeout: PATIENCE_MS, intervals: [100] },
    )
    .toEqual(some.map(() => posted))

const untilAlike = async () =>
  await expect
    .poll(
      async () => {
        const all = await Promise.all(nodes.map(loadStatus))
        const states = all.map(({ archive: { generation, complete_to }, sync }) =>
          [generation, complete_to, sync.state].join(),
        )
        return new Set(states).size === 1 && all.every(({ sync }) => sync.state === 'idle')
      },
      { timeout: PATIENCE_MS },
    )
    .toBe(true)

async function expectNews(some: readonly NodeProcess[]): Promise<void> {
  post()
  await expect
    .poll(
      async () => {
        const [asked] = some
        if (asked) await askForSync(asked)
        return await Promise.all(some.map(async (node) => (await loadStatus(node)).archive.ratings))
      },
      { timeout: PATIENCE_MS, intervals: [1000] },
    )
    .toEqual(some.map(() => posted))
}

async function expectWithinBudget(): Promise<void> {
  const [row] = await sql<{ requests: number }[]>`
    select sum(requests)::float8 as requests from bellwether.request_month`
  expect(service.count()).toBeLessThanOrEqual(row?.requests ?? 0)
  expect(service.mostWithin(60)).toBeLessThanOrEqual(PER_MINUTE)
}

async function countLateCommits(): Promise<number> {
  const [row] = await sql<{ late: number }[]>`
    select count(*)::float8 as late from (
      select epoch, max(epoch) over (order by revision) as newest from bellwether.history) as each
    where epoch < newest`
  return row?.late ?? Number.NaN
}

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

function readOn() {
  const failures: string[] = []
  let [answers, isOver] = [0, false]
  const reading = (async () => {
    while (!isOver) {
      const path = ['/api/ratings?per_page=5', '/api/symbols', '/'][answers % 3] ?? '/'
      try {
        const answer = await fetch(balancer.url + path)
        await answer.text()
        if (!answer.ok) failures.push(`${answer.status} from ${path}`)
      } catch (error) {
        failures.push(`${path}: ${String(error)}`)
      }
      answers += 1
    }
  })()
  return async () => {
    isOver = true
    await reading
    return { answers, failures }
  }
}

function drawQuestions(count: number, seed: number): string[] {
  const random = createRandom(seed)
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  return Array.from({ length: count }, () => {
    const asof = 1_780_000_000 + Math.floor(random() * 2_000_000)
    const filters = [
      '',
      '&symbol=AAPL',
      '&symbol=MSFT',
      `&user=${1 + Math.floor(random() * 5)}`,
      '&prediction_min=12',
      `&page=${1 + Math.floor(random() * 3)}&per_page=20`,
    ]
    const path = pick([
      `/api/ratings?asof=${asof}${pick(filters)}`,
      `/api/facets?asof=${asof}${pick(filters.slice(0, 5))}`,
      `/api/symbols?asof=${asof}`,
      `/api/users?asof=${asof}`,
      `/api/ratings.csv?asof=${asof}${pick(filters.slice(0, 5))}`,
    ])
    return path
  })
}

const readPlain = async (url: string) => {
  const answer = await fetch(url)
  return `${answer.status} ${(await answer.text()).replace(/"as_of":\d+/g, '')}`
}

test('nodes that start at once on an empty database fill, and give the same answers to the byte', async () => {
  test.setTimeout(240_000)
  await Promise.all(nodes.map((node) => node.start()))
  await untilHeld(nodes)
  await untilAlike()
  for (const question of drawQuestions(36, SEED)) {
    await expect(async () => {
      const answers = await Promise.all(nodes.map(({ url }) => readPlain(url + question)))
      expect(answers[0]).toMatch(/^200 /)
      for (const answer of answers) expect(answer).toBe(answers[0])
    }, question).toPass({ timeout: PATIENCE_MS })
  }
})

test('the status of a node that follows lists all, and its "Sync now" makes the other one sync', async ({
  page,
}) => {
  const { node: leader } = await untilLeader()
  const [follower] = followersOf(leader)
  await page.goto(`${follower?.url}/status/sync`)
  await expect(panel(page, 'Nodes')).toContainText(`${leader.name} syncs`, { timeout: PATIENCE_MS })
  const rows = page.getByRole('table', { name: 'Nodes', exact: true }).getByRole('row')
  await expect(rows).toHaveCount(4, { timeout: PATIENCE_MS })
  for (const { name } of nodes) {
    await expect(rows.filter({ hasText: new RegExp(`^${name}`) })).toHaveCount(1)
  }
  post()
  await page.getByRole('button', { name: /^Sync now/ }).click()
  await untilHeld(nodes)
})

test('if the syncing node is killed, a different one syncs and no reader notices', async () => {
  const { node: leader } = await untilLeader()
  const stop = readOn()
  await leader.kill()
  const next = await untilLeader((node) => node !== leader)
  await expectNews(followersOf(leader))
  const { answers, failures } = await stop()
  expect(failures).toEqual([])
  expect(answers).toBeGreaterThan(3)
  await leader.start()
  await untilHeld(nodes)
  expect(next.node).not.toBe(leader)
})

test('without the database every node serves what it holds and says so; once it is back, everything continues', async ({
  page,
}) => {
  test.setTimeout(240_000)
  const { node: leader } = await untilLeader()
  const [follower, another] = followersOf(leader)
  if (!follower || !another) throw new Error('too few nodes')
  await page.goto(`${follower.url}/status/sync`)
  await another.stop()
  await server.kill()
  await expect(panel(page, 'Nodes')).toContainText('has not answered since', {
    timeout: PATIENCE_MS,
  })
  await expect(freshnessLine(page)).toContainText('cannot be reached')
  await another.start()
  for (const node of nodes) {
    for (const path of ['/', '/status', '/api/ratings', '/api/symbols', '/api/health']) {
      expect((await fetch(node.url + path)).status, path).toBe(200)
    }
    expect((await loadStatus(node)).archive.ratings).toBe(posted)
    await expect
      .poll(async () => await load(`${node.url}/api/health`), { timeout: PATIENCE_MS })
      .toMatchObject({ data: { live: true, ready: true, degraded: true } })
  }
  const before = service.count()
  await askForSync(another)
  await server.start()
  await expect(panel(page, 'Nodes')).toContainText('syncs', { timeout: PATIENCE_MS })
  await expectNews(nodes)
  expect(service.count()).toBeGreaterThan(before)
  expect(await countLateCommits()).toBe(0)
  await expectWithinBudget()
})
