import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openAlerts } from '#testing/alerts/open-alerts.ts'
import { SECRET } from '#testing/alerts/open-receiver.ts'
import { makeRating, START } from '#testing/archive/arbitrary.ts'
import { draws, expectReach } from '#testing/draws.ts'
import type { Deliverer, Delivery } from './deliver.ts'

const DAY = 86_400

type Step =
  | { do: 'post'; ratings: { gap: number; age: number; stars: number }[] }
  | { do: 'late'; take: number }
  | { do: 'again' }
  | { do: 'wait'; seconds: number }
  | { do: 'jump'; seconds: number }
  | { do: 'restart' }
  | { do: 'crash'; after: number; isWritten: boolean }
  | { do: 'receiver'; is: 'well' | 'failing' | 'deaf' }

const aStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('post' as const),
      ratings: fc.array(
        fc.record({ gap: fc.nat(2), age: fc.nat(50), stars: fc.integer({ min: 1, max: 5 }) }),
        { minLength: 1, maxLength: 15 },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('late' as const), take: fc.nat(4) }) },
  fc.constant<Step>({ do: 'again' }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      seconds: fc.constantFrom(5, 60, 700, 7200),
    }),
  },
  fc.record({
    do: fc.constant('jump' as const),
    seconds: fc.constantFrom(-400 * DAY, -7200, 7200, 400 * DAY),
  }),
  fc.constant<Step>({ do: 'restart' }),
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('crash' as const),
      after: fc.nat(3),
      isWritten: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('receiver' as const),
      is: fc.constantFrom('well' as const, 'failing' as const, 'deaf' as const),
    }),
  },
)

type DeliveredAlert = { data: { rule: string; total: number; ratings: { id: number }[] } }

function openScript() {
  const script = { is: 'well' as 'well' | 'failing' | 'deaf' }
  const messages = new Map<string, DeliveredAlert>()
  const away: Delivery = {
    delivered: false,
    status: null,
    reason: 'away',
    isFinal: false,
    waitSeconds: 0,
  }
  const deliverer: Deliverer = {
    deliver: async (_target, { id, body }) => {
      if (script.is === 'failing') return away
      messages.set(id, JSON.parse(body) as DeliveredAlert)
      return script.is === 'deaf' ? away : { delivered: true, status: 200 }
    },
    close: async () => {},
  }
  return { script, messages, deliverer }
}

const RULES = [
  { name: 'All', webhook: 'hook', kind: 'ratings', query: '' },
  { name: 'Fives', webhook: 'hook', kind: 'ratings', query: 'rating=5' },
]

type OpenAlerts = Awaited<ReturnType<typeof openAlerts>>

function createCommunity(house: OpenAlerts) {
  let [time, highest] = [START + 60, 3]
  const held: number[] = []
  const posted = new Map<number, number>()
  const post = async (ratings: { id: number; at: number; stars: number }[]) => {
    for (const one of ratings) posted.set(one.id, one.stars)
    const rows = ratings.map(({ id, at, stars }) =>
      makeRating({ id, user_id: id, rating: stars, created_at: at }),
    )
    await house.commit(rows)
  }
  return {
    posted,
    async wait(seconds: number) {
      time += seconds
      await house.pass(seconds)
    },
    async postNew(ratings: Extract<Step, { do: 'post' }>['ratings']) {
      const rows = ratings.map(({ gap, age, stars }) => {
        for (let left = 1; left <= gap; left += 1) held.push(highest + left)
        highest += gap + 1
        return { id: highest, at: Math.max(START + 60, time - age), stars }
      })
      await post(rows)
    },
    postLate: async (take: number) =>
      await post(held.splice(0, take).map((id) => ({ id, at: time, stars: 5 }))),
    postAgain: async () =>
      await post([...posted].slice(-5).map(([id, stars]) => ({ id, at: time, stars }))),
  }
}

type Community = ReturnType<typeof createCommunity>
type Script = ReturnType<typeof openScript>['script']

async function take(
  step: Step,
  house: OpenAlerts,
  { wait, ...community }: Community,
  script: Script,
) {
  if (step.do === 'post') await community.postNew(step.ratings)
  else if (step.do === 'late') await community.postLate(step.take)
  else if (step.do === 'again') await community.postAgain()
  else if (step.do === 'wait') await wait(step.seconds)
  else if (step.do === 'jump') house.clock.now += step.seconds
  else if (step.do === 'restart') await house.restart()
  else if (step.do === 'receiver') script.is = step.is
  else {
    house.crash.in = step.after
    house.crash.isWritten = step.isWritten
    await wait(60)
    crashes += house.crash.in < 0 ? 1 : 0
    house.crash.in = Number.POSITIVE_INFINITY
    await house.restart()
  }
}

let [told, crashes] = [0, 0]

function checkToldOnce(
  name: string,
  messages: readonly DeliveredAlert[],
  posted: Community['posted'],
) {
  const own = messages.filter(({ data }) => data.rule === name)
  const wanted = [...posted].filter(([, stars]) => name === 'All' || stars === 5)
  expect(own.reduce((sum, { data }) => sum + data.total, 0)).toBe(wanted.length)
  const named = own.flatMap(({ data }) => data.ratings.map(({ id }) => id))
  expect(new Set(named).size).toBe(named.length)
  expect(named.every((id) => wanted.some(([known]) => known === id))).toBe(true)
  told += wanted.length
}

async function live(steps: readonly Step[], house: OpenAlerts, { script, messages }: Scripted) {
  await house.commit([1, 2, 3].map((id) => makeRating({ id, created_at: START - id })))
  for (const [index, rule] of RULES.entries()) {
    const target = { url: 'https://chat.example/', secret: SECRET }
    await house.alerts().add({ rule, ...(index === 0 && { target }) })
  }
  await house.pass(60)
  const community = createCommunity(house)
  for (const step of steps) await take(step, house, community, script)
  script.is = 'well'
  await house.restart()
  for (let hours = 0; hours < 12; hours += 1) await community.wait(7200)
  expect(await house.alerts().report()).toMatchObject({ outbox_total: 0, given_up_total: 0 })
  for (const { name } of RULES) checkToldOnce(name, [...messages.values()], community.posted)
}

type Scripted = ReturnType<typeof openScript>

test('each rating is reported once per rule, whatever commits, crashes, failures and clock jumps come in between', async () => {
  const steps = fc.array(aStep, { minLength: 5, maxLength: 20 })
  const property = fc.asyncProperty(steps, async (taken) => {
    const scripted = openScript()
    const house = await openAlerts(scripted)
    try {
      await live(taken, house, scripted)
    } finally {
      await house.close()
    }
  })
  await fc.assert(property, { numRuns: draws(32) })
  expectReach(told, 20)
  expectReach(crashes, 0)
}, 3_000_000)
