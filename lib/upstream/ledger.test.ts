import { appendFile, mkdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { draws } from '#testing/draws.ts'
import { START, temporaryFolder } from '#testing/upstream/scripted-service.ts'
import type { Clocks } from './answer-headers.ts'
import {
  type Ledger,
  type LedgerDeps,
  nextMonthAt,
  openLedger as open,
  parseLedgerLine,
  type RequestLimits,
  selectReserved,
  toLedgerLine,
  toMonth,
  toPeoplesShare,
} from './ledger.ts'
import { PURPOSES, type Purpose } from './upstream.ts'

const NONE = { perMinute: null, perMonth: null }

async function openLedger(deps: LedgerDeps) {
  const ledger = await open(deps)
  onTestFinished(() => ledger.close().catch(() => {}))
  return ledger
}

async function aFile() {
  return join(await temporaryFolder(), 'deep', 'requests')
}

test('a charge is on disk before it resolves, and is known after a restart', async () => {
  const file = await aFile()
  const ledger = await openLedger({ file, now: () => START })
  for (let count = 1; count <= 3; count += 1) {
    await ledger.charge(NONE, 'dump')
    const copy = await aFile()
    const before = await openLedger({ file: copy, now: () => START })
    await before.close()
    await writeFile(copy, await readFile(file))
    const restarted = await openLedger({ file: copy, now: () => START })
    expect(restarted.budget(NONE)).toEqual({
      minute: { limit: null, used: count },
      month: { limit: null, used: count },
      spent: { dump: count, follow: 0, people: 0 },
      reserved: 0,
    })
    await restarted.close()
  }
  await ledger.close()
  expect((await stat(file)).mode & 0o077).toBe(0)
})

test('the minute slides: a slot comes back when its request is more than 60 seconds old', async () => {
  let at = START
  const ledger = await openLedger({ file: await aFile(), now: () => at })
  const limits = { perMinute: 2, perMonth: null }
  await ledger.charge(limits, 'dump')
  at += 20
  await ledger.charge(limits, 'dump')
  await expect(ledger.charge(limits, 'dump')).rejects.toMatchObject({ retryAfterSeconds: 41 })
  at += 41
  expect(await charged(ledger, limits)).toBe(true)
  expect(await charged(ledger, limits)).toBe(false)
})

test('the month begins in UTC, and until then its limit says how long to wait', async () => {
  let at = Date.UTC(2026, 11, 31, 23, 59, 0) / 1000
  const ledger = await openLedger({ file: await aFile(), now: () => at })
  const limits = { perMinute: null, perMonth: 1 }
  await ledger.charge(limits, 'dump')
  await expect(ledger.charge(limits, 'dump')).rejects.toMatchObject({ retryAfterSeconds: 60 })
  at += 60
  expect(await charged(ledger, limits)).toBe(true)
})

test('a limit of nothing allows nothing', async () => {
  const ledger = await openLedger({ file: await aFile(), now: () => START })
  expect(await charged(ledger, { perMinute: 0, perMonth: null })).toBe(false)
  expect(await charged(ledger, { perMinute: null, perMonth: 0 })).toBe(false)
})

test('a clock that goes back finds no fresh month, also after a restart', async () => {
  const file = await aFile()
  let at = Date.UTC(2026, 11, 1) / 1000
  let ledger = await openLedger({ file, now: () => at })
  for (let count = 0; count < 5; count += 1) await ledger.charge(NONE, 'dump')
  at -= 40 * 86_400
  expect(ledger.budget(NONE).month.used).toBe(5)
  await ledger.close()
  ledger = await openLedger({ file, now: () => at })
  expect(ledger.budget(NONE)).toMatchObject({ month: { used: 5 }, minute: { used: 5 } })
  at += 61
  expect(ledger.budget(NONE)).toMatchObject({ month: { used: 5 }, minute: { used: 0 } })
})

test('a damaged line takes at most itself away', async () => {
  const file = await aFile()
  const first = await openLedger({ file, now: () => START })
  for (let count = 0; count < 6; count += 1) await first.charge(NONE, 'dump')
  await first.close()
  const sound = await readFile(file)
  for (let place = 0; place < sound.length; place += 1) {
    const damaged = Buffer.from(sound)
    damaged[place] = (damaged[place] ?? 0) ^ 1
    await writeFile(file, damaged)
    const ledger = await openLedger({ file, now: () => START })
    expect([5, 6]).toContain(ledger.budget(NONE).month.used)
    await ledger.close()
  }
})

test('a line cut by a crash at any byte neither hides the others nor spoils the next', async () => {
  const file = await aFile()
  const first = await openLedger({ file, now: () => START })
  for (let count = 0; count < 2; count += 1) await first.charge(NONE, 'dump')
  await first.close()
  const sound = await readFile(file)
  const beforeLast = sound.lastIndexOf(10, -2)
  for (let cut = beforeLast; cut < sound.length; cut += 1) {
    await writeFile(file, sound)
    await truncate(file, cut)
    let ledger = await openLedger({ file, now: () => START })
    const used = ledger.budget(NONE).month.used
    expect(used).toBeGreaterThanOrEqual(1)
    await ledger.charge(NONE, 'dump')
    await ledger.close()
    ledger = await openLedger({ file, now: () => START })
    expect(ledger.budget(NONE).month.used).toBe(used + 1)
    await ledger.close()
  }
})

test('what is no ledger at all does not stop it', async () => {
  const file = await aFile()
  await (await openLedger({ file, now: () => START })).close()
  await appendFile(file, Buffer.from([0, 255, 10, 10, 49, 32, 50, 10]))
  const ledger = await openLedger({ file, now: () => START })
  expect(ledger.budget(NONE).month.used).toBe(0)
})

test('where the file cannot be written, nothing is spent and nothing may be sent', async () => {
  const ledger = await openLedger({ file: await aFile(), now: () => START })
  await ledger.close()
  await expect(ledger.charge(NONE, 'dump')).rejects.toMatchObject({ fault: 'internal' })
  expect(ledger.budget(NONE)).toMatchObject({ month: { used: 0 }, minute: { used: 0 } })
})

test('it goes on counting where the file could not be written for a while', async () => {
  const file = await aFile()
  const ledger = await openLedger({ file, now: () => START, compactAfterLines: 2 })
  for (let count = 0; count < 2; count += 1) await ledger.charge(NONE, 'dump')
  await rm(dirname(file), { recursive: true })
  await expect(ledger.charge(NONE, 'dump')).rejects.toMatchObject({ fault: 'internal' })
  await mkdir(dirname(file))
  await Promise.all([
    ledger.charge(NONE, 'dump'),
    ledger.charge(NONE, 'dump'),
    ledger.charge(NONE, 'dump'),
  ])
  expect(ledger.budget(NONE).month.used).toBe(5)
  await ledger.close()
  expect((await openLedger({ file, now: () => START })).budget(NONE).month.used).toBe(5)
})

test('what each purpose spent survives restarts and the tidying of the file', async () => {
  const file = await aFile()
  let at = START
  const purposes = ['dump', 'follow', 'people', 'follow', 'people', 'follow'] as const
  const spent = { dump: 0, follow: 0, people: 0 }
  let ledger = await openLedger({ file, now: () => at, compactAfterLines: 4 })
  for (let round = 0; round < 4; round += 1) {
    for (const purpose of purposes) {
      await ledger.charge(NONE, purpose)
      spent[purpose] += 1
      expect(ledger.budget(NONE).spent).toEqual(spent)
    }
    at += 100
    await ledger.close()
    ledger = await openLedger({ file, now: () => at, compactAfterLines: 4 })
    expect(ledger.budget(NONE).spent).toEqual(spent)
  }
})

test('it stays small: what no limit asks about any more is left out at the next start', async () => {
  const file = await aFile()
  let at = START
  let ledger = await openLedger({ file, now: () => at })
  for (let count = 0; count < 200; count += 1) await ledger.charge(NONE, 'dump')
  await ledger.close()
  const before = (await stat(file)).size
  at += 100
  ledger = await openLedger({ file, now: () => at })
  expect(ledger.budget(NONE).month.used).toBe(200)
  await ledger.close()
  expect((await stat(file)).size).toBeLessThan(before / 50)
})

const LINES_START = 1_700_000_000

test('a line says what was written into it, and any other line says nothing', () => {
  const spent = {
    at: LINES_START,
    month: '2023-11',
    ordinal: 12,
    purpose: 'people' as const,
    nth: 3,
  }
  const ofMinute = { ...spent, ordinal: 0, purpose: null, nth: 0 }
  expect(parseLedgerLine(toLedgerLine(spent))).toEqual(spent)
  expect(parseLedgerLine(toLedgerLine(ofMinute))).toEqual(ofMinute)
  fc.assert(fc.property(fc.string(), (text) => parseLedgerLine(text) === null))
})

async function openAt(now: () => number) {
  const ledger = await open({ file: await aFile(), now })
  onTestFinished(() => ledger.close())
  return ledger
}

const charged = (
  ledger: Ledger,
  limits: RequestLimits,
  purpose: Purpose = 'dump',
  clocks?: Clocks,
) =>
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
