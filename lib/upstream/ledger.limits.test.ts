import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { draws } from '#testing/draws.ts'
import { START, temporaryFolder } from '#testing/upstream/scripted-service.ts'
import type { Clocks } from './answer-headers.ts'
import {
  type Ledger,
  nextMonthAt,
  openLedger as open,
  type RequestLimits,
  selectReserved,
  toMonth,
  toPeoplesShare,
} from './ledger.ts'
import { PURPOSES, type Purpose } from './upstream.ts'

const aFile = async () => join(await temporaryFolder(), 'requests')

async function openAt(now: () => number) {
  const ledger = await open({ file: await aFile(), now })
  onTestFinished(() => ledger.close())
  return ledger
}

const charged = (ledger: Ledger, limits: RequestLimits, purpose: Purpose, clocks?: Clocks) =>
  ledger.charge(limits, purpose, clocks).then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({ fault: 'budget_spent', retryAfterSeconds: expect.any(Number) })
      return false
    },
  )

async function spendAll(ledger: Ledger, limits: RequestLimits, purpose: Purpose) {
  let count = 0
  while (await charged(ledger, limits, purpose)) count += 1
  return count
}

const NOVEMBER = Date.UTC(2026, 10, 1) / 1000
const DAY = 86_400
const HUNDRED = { perMinute: null, perMonth: 100 }

test('people get a tenth of the month, follows what is not kept for dumps, and dumps the rest', async () => {
  const ledger = await openAt(() => NOVEMBER)
  expect(await spendAll(ledger, HUNDRED, 'people')).toBe(10)
  await expect(ledger.charge(HUNDRED, 'people')).rejects.toMatchObject({
    message: 'This month’s requests for people are used up. The rest is reserved for the sync.',
    retryAfterSeconds: 30 * DAY,
  })
  expect(ledger.budget(HUNDRED).reserved).toBe(10)
  expect(await spendAll(ledger, HUNDRED, 'follow')).toBe(80)
  await expect(ledger.charge(HUNDRED, 'follow')).rejects.toMatchObject({
    message: 'The remaining requests of this month are reserved for the weekly dumps.',
  })
  expect(await spendAll(ledger, HUNDRED, 'dump')).toBe(10)
  await expect(ledger.charge(HUNDRED, 'dump')).rejects.toMatchObject({
    message: 'This month’s requests are used up.',
    retryAfterSeconds: 30 * DAY,
  })
  expect(ledger.budget(HUNDRED)).toMatchObject({
    month: { used: 100 },
    spent: { dump: 10, follow: 80, people: 10 },
  })
})

test('people never touch what is kept for dumps, though they spent nothing yet', async () => {
  const ledger = await openAt(() => NOVEMBER)
  expect(await spendAll(ledger, HUNDRED, 'follow')).toBe(90)
  expect(await charged(ledger, HUNDRED, 'people')).toBe(false)
})

test('whoever waits as long as a refusal says gets the request, if nobody else took it', async () => {
  for (const limit of [1, 2, 3, 5, 10, 40, 100]) {
    for (const purpose of PURPOSES) {
      let at = NOVEMBER + 3 * DAY
      const ledger = await openAt(() => at)
      const limits = { perMinute: 4, perMonth: limit }
      for (let round = 0; round < 60; round += 1) {
        let wait = 0
        await ledger.charge(limits, purpose).catch((error: { retryAfterSeconds: number }) => {
          wait = error.retryAfterSeconds
        })
        if (wait === 0) continue
        at += wait
        expect(await charged(ledger, limits, purpose), `${limit} ${purpose}`).toBe(true)
      }
    }
  }
})

test('the month of the smallest quota still has one request for people, and half for dumps', async () => {
  const ledger = await openAt(() => NOVEMBER)
  const limits = { perMinute: null, perMonth: 5 }
  expect(ledger.budget(limits).reserved).toBe(2)
  expect(await spendAll(ledger, limits, 'people')).toBe(1)
  expect(await spendAll(ledger, limits, 'follow')).toBe(2)
  expect(await spendAll(ledger, limits, 'dump')).toBe(2)
})

test.each([
  [100, 50],
  [1000, 500],
  [20, 10],
  [12, 10],
  [4, 4],
])('leaves requests of %i a month when nothing but dumps is asked for', async (perMonth, dumps) => {
  const ledger = await openAt(() => NOVEMBER)
  const limits = { perMinute: null, perMonth }
  expect(await spendAll(ledger, limits, 'dump')).toBe(dumps)
})

test('people leave a quarter of the minute, where a quarter is anything', async () => {
  for (const [perMinute, share] of [
    [60, 45],
    [4, 3],
    [3, 3],
    [1, 1],
    [0, 0],
  ] as const) {
    const ledger = await openAt(() => NOVEMBER)
    expect(await spendAll(ledger, { perMinute, perMonth: null }, 'people')).toBe(share)
    expect(await spendAll(ledger, { perMinute, perMonth: null }, 'follow')).toBe(perMinute - share)
  }
})

test('at the turn of a month nothing is fresh until both clocks say so, and then nothing is passed', async () => {
  const december = Date.UTC(2026, 11, 1) / 1000
  const ledger = await openAt(() => december)
  const limits = { perMinute: null, perMonth: 2 }
  const before = { earliest: december - 300, latest: december - 300 }
  const between = { earliest: december - 120, latest: december }
  const after = { earliest: december, latest: december + 180 }
  expect(await charged(ledger, limits, 'dump', before)).toBe(true)
  expect(await charged(ledger, limits, 'dump', between)).toBe(true)
  await expect(ledger.charge(limits, 'dump', between)).rejects.toMatchObject({
    retryAfterSeconds: 120,
  })
  expect(await charged(ledger, limits, 'dump', after)).toBe(true)
  expect(await charged(ledger, limits, 'dump', after)).toBe(false)
})

type Step =
  | { do: 'charge'; together: number; purpose: Purpose }
  | { do: 'wait' | 'set back' | 'set forward'; seconds: number }
  | { do: 'differ'; seconds: number }
  | { do: 'restart' }

const seconds = fc.oneof(fc.nat(90), fc.nat(40 * DAY))
const stepOf = <T extends Step['do']>(...names: T[]) =>
  fc.record({ do: fc.constantFrom(...names), seconds })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('charge' as const),
      together: fc.integer({ min: 1, max: 5 }),
      purpose: fc.constantFrom(...PURPOSES),
    }),
  },
  { weight: 4, arbitrary: stepOf('wait') },
  { weight: 2, arbitrary: stepOf('set back', 'set forward') },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('differ' as const),
      seconds: fc.integer({ min: -30 * DAY, max: 30 * DAY }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
)

type Granted = { real: number; months: string[]; purpose: Purpose }

async function createWorld(limits: RequestLimits) {
  const file = await aFile()
  let [real, ours, skew, setForward] = [0, START, 0, false]
  const openAgain = () =>
    open({ file, now: () => ours, nowMs: () => real * 1000, compactAfterLines: 4 })
  let ledger = await openAgain()
  const granted: Granted[] = []
  const clocks = () => ({
    earliest: Math.min(ours, ours + skew),
    latest: Math.max(ours, ours + skew),
  })
  const budget = () => ledger.budget(limits, clocks())

  const charge = async (together: number, purpose: Purpose) => {
    const tries = Array.from({ length: together }, () => charged(ledger, limits, purpose, clocks()))
    const fresh = (await Promise.all(tries)).filter((ok) => ok)
    const months = [toMonth(ours), toMonth(ours + skew)]
    granted.push(...fresh.map(() => ({ real, months, purpose })))
    if (fresh.length === 0 || purpose === 'dump' || limits.perMonth === null) return
    const kept = selectReserved(limits.perMonth, clocks().earliest)
    expect(budget().month.used).toBeLessThanOrEqual(limits.perMonth - kept)
  }
  const restart = async () => {
    const before = budget()
    await ledger.close()
    if (setForward) real += 61
    setForward = false
    ledger = await openAgain()
    expect(budget()).toMatchObject({ month: before.month, spent: before.spent })
  }
  const take = async (one: Step) => {
    if (one.do === 'charge') return await charge(one.together, one.purpose)
    if (one.do === 'restart') return await restart()
    const before = budget().month.used
    if (one.do === 'differ') skew = one.seconds
    if (one.do === 'wait') real += one.seconds
    if (one.do === 'wait' || one.do === 'set forward') ours += one.seconds
    if (one.do === 'set forward') setForward = true
    if (one.do === 'set back') {
      ours -= one.seconds
      expect(budget().month.used).toBeGreaterThanOrEqual(before)
    }
  }
  return { take, granted, close: () => ledger.close() }
}

test('over any history of callers, waits, clocks set and apart, and restarts, no limit is passed', async () => {
  const limit = fc.option(fc.nat(12))
  const limitsOf = fc.record({ perMinute: limit, perMonth: limit })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), limitsOf, async (steps, limits) => {
      const { take, granted, close } = await createWorld(limits)
      for (const one of steps) await take(one)
      await close()
      const most = limits.perMonth ?? Number.POSITIVE_INFINITY
      for (const { real: end, months } of granted) {
        const inMinute = granted.filter(({ real }) => real <= end && real > end - 60)
        expect(inMinute.length).toBeLessThanOrEqual(limits.perMinute ?? Number.POSITIVE_INFINITY)
        for (const clock of [0, 1]) {
          const inMonth = granted.filter((one) => one.months[clock] === months[clock])
          const byPeople = inMonth.filter(({ purpose }) => purpose === 'people')
          expect(inMonth.length).toBeLessThanOrEqual(most)
          expect(byPeople.length).toBeLessThanOrEqual(toPeoplesShare(most))
        }
      }
    }),
    { numRuns: draws(80) },
  )
})

test('the reserve falls by two a week and is nothing when the month ends', () => {
  const at = (daysLeft: number) => nextMonthAt(NOVEMBER) - daysLeft * DAY
  expect([30, 22, 21, 8, 7, 1].map((days) => selectReserved(100, at(days)))).toEqual([
    10, 8, 6, 4, 2, 2,
  ])
  expect(selectReserved(null, NOVEMBER)).toBe(0)
  expect([0, 1, 2, 7, 12].map((limit) => selectReserved(limit, NOVEMBER))).toEqual([0, 0, 1, 3, 6])
})
