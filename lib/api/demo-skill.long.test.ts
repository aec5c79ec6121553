import { afterAll, beforeAll, expect, test } from 'vitest'
import { communityRecordAnswer, trackAnswer } from '#lib/contract/answers/track.ts'
import { usersPage } from '#lib/contract/answers/users.ts'
import { coinTail } from '#lib/statistics/chance.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'

let line: TestApi
let talents: number[] = []

beforeAll(async () => {
  line = await openTestApi({ ratings: 20_000, onDisk: true })
  await line.fill()
  const { invented } = line.service
  if (!invented) throw new Error('the demo has no prices')
  talents = await invented.talents()
  await line.archive.prices.replace(async (append) => {
    for await (const closes of invented.closes(line.clock.now)) await append(closes)
  })
}, 120_000)

afterAll(async () => await line.close())

const loadTrack = async (user: number, horizon: number) =>
  trackAnswer.parse(await (await line.ask(`/api/users/${user}/track?horizon=${horizon}`)).json())
    .data

test('the skill that is planted in the demo is found: who has it stands at the top, far from a coin', async () => {
  expect(talents).toHaveLength(6)
  for (const user of talents) {
    const { rank, hit_low, excess_low, clusters } = await loadTrack(user, 90)
    expect(clusters).toBeGreaterThan(50)
    expect(rank).toBeLessThanOrEqual(10)
    expect(Number(hit_low)).toBeGreaterThan(0.6)
    expect(Number(excess_low)).toBeGreaterThan(0.05)
  }
})

test('to everybody else the demo’s prices are a coin', async () => {
  const answer = await (await line.ask('/api/record?horizon=90')).json()
  const { data } = communityRecordAnswer.parse(answer)
  const { luck } = (await loadLeague()).standings
  expect(luck.ranked).toBeGreaterThan(500)
  expect(luck.beat - talents.length).toBeLessThan(2.5 * Number(luck.expected))
  expect(luck.worse).toBeLessThan(2.5 * Number(luck.expected_worse))
  expect(Math.abs(Number(data.hit_rate) - 0.5)).toBeLessThan(0.035)
  const others = await loadOthers()
  expect(others.length).toBeGreaterThan(60)
  const mean = others.reduce((sum, one) => sum + one.hitRate, 0) / others.length
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.05)
  const alike = others.filter(
    ({ clusters, hitRate }) => coinTail(Math.ceil(hitRate * clusters - 1e-6), clusters) < 1e-6,
  )
  expect(alike).toEqual([])
})

async function loadLeague() {
  const league = await line.ask('/api/users?horizon=90&sort=user_id&per_page=500')
  return usersPage.parse(await league.json())
}

async function loadOthers() {
  const { data } = await loadLeague()
  return data.flatMap(({ user_id, clusters, hit_rate }) =>
    clusters === null || clusters < 20 || talents.includes(user_id)
      ? []
      : [{ clusters, hitRate: Number(hit_rate) }],
  )
}
