import { appendFile, mkdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { START, temporaryFolder } from '#testing/upstream/scripted-service.ts'
import {
  type Ledger,
  type LedgerDeps,
  openLedger as open,
  parseLedgerLine,
  toLedgerLine,
} from './ledger.ts'

const NONE = { perMinute: null, perMonth: null }

async function openLedger(deps: LedgerDeps) {
  const ledger = await open(deps)
  onTestFinished(() => ledger.close().catch(() => {}))
  return ledger
}

async function aFile() {
  return join(await temporaryFolder(), 'deep', 'requests')
}

async function charged(ledger: Ledger, limits: Parameters<Ledger['charge']>[0]) {
  return await ledger.charge(limits, 'dump').then(
    () => true,
    (error: unknown) => {
      expect(error).toMatchObject({ fault: 'budget_spent' })
      return false
    },
  )
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
