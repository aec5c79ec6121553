import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, WEDNESDAY } from '#testing/sync/scripted-service.ts'
import { openRunLog, type RunEnd } from './run-log.ts'

const done: RunEnd = { outcome: 'done', requests: 2, rows: null, reason: null }

async function open() {
  const file = join(await makeFolder(), 'runs.ndjson')
  const clock = { at: WEDNESDAY }
  const reopen = () => openRunLog({ file, now: () => clock.at })
  return { file, clock, reopen, runs: await reopen() }
}

test('what ran is there after a restart, the newest first, a few of each move', async () => {
  const { runs, reopen, clock } = await open()
  runs.begin('bootstrap').end(done)
  for (let count = 0; count < 2000; count += 1) {
    clock.at += 60
    runs.begin('follow').end({ ...done, requests: count })
  }
  await runs.close()
  const again = await reopen()
  expect(again.list()).toEqual(runs.list())
  expect(again.list().map(({ move }) => move)).toEqual([
    ...Array.from({ length: 5 }, () => 'follow'),
    'bootstrap',
  ])
  expect(again.list()[0]?.requests).toBe(1999)
})

test('a run that a killed process was at is shown as interrupted, as far as it came', async () => {
  const { runs, reopen, clock } = await open()
  const run = runs.begin('reconcile')
  clock.at += 30
  run.word(1)
  clock.at += 5
  run.word(2)
  await runs.close()
  clock.at += 7200
  const again = await reopen()
  expect(again.list()).toEqual([
    {
      move: 'reconcile',
      started_at: WEDNESDAY,
      ended_at: WEDNESDAY + 30,
      outcome: 'interrupted',
      requests: 1,
      rows: null,
      reason: 'The process ended during the run.',
    },
  ])
  await again.close()
  expect((await reopen()).list()).toEqual(again.list())
})

test('runs are counted by UTC day across restarts and rotations of the file, for 90 days', async () => {
  const { runs, reopen, clock } = await open()
  for (let count = 0; count < 100 * 24; count += 1) {
    clock.at += 3600
    const outcome = count % 48 === 0 ? 'failed' : count % 48 === 1 ? 'interrupted' : 'done'
    runs.begin('follow').end({ ...done, outcome })
  }
  await runs.close()
  const again = await reopen()
  const days = again.days()
  expect(days).toEqual(runs.days())
  expect(days).toHaveLength(90)
  expect(days.at(-1)?.day).toBe(new Date(clock.at * 1000).toISOString().slice(0, 10))
  const whole = days.slice(1, -1)
  expect(
    whole.map(({ done, failed }) => done + failed).every((sum) => sum === 24 || sum === 23),
  ).toBe(true)
  expect(whole.reduce((sum, { failed }) => sum + failed, 0)).toBe(44)
  again.begin('follow').end(done)
  await again.close()
  expect((await reopen()).days().at(-1)?.done).toBe((days.at(-1)?.done ?? 0) + 1)
})
