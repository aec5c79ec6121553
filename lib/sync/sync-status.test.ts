import { expect, test } from 'vitest'
import type { StepProgress } from '#lib/contract/answers/status.ts'
import { createPace } from './sync-status.ts'

const rows = (done: number, step: StepProgress['step'] = 'importing'): StepProgress => ({
  step,
  done,
  total: 100_000,
  unit: 'rows',
})

function open() {
  const clock = { at: 1000 }
  const pace = createPace(() => clock.at)
  return { clock, pace }
}

test('a step says since when it runs, how fast, and how long at that pace', () => {
  const { clock, pace } = open()
  expect(pace.see(rows(0))).toMatchObject({
    since: 1000,
    per_second: null,
    remaining_seconds: null,
  })
  clock.at += 2
  expect(pace.see(rows(10_000))).toMatchObject({
    since: 1000,
    per_second: 5000,
    remaining_seconds: 18,
  })
})

test('the pace is that of the last ten seconds, not of the whole step', () => {
  const { clock, pace } = open()
  for (let second = 0; second <= 60; second += 1) {
    clock.at = 1000 + second
    pace.see(rows(second * 10))
  }
  for (let second = 1; second <= 11; second += 1) {
    clock.at = 1060 + second
    pace.see(rows(600 + second * 1000))
  }
  expect(pace.see(rows(11_600))?.per_second).toBe(1000)
})

test('a step that does not get on has no end in sight', () => {
  const { clock, pace } = open()
  for (let second = 0; second <= 30; second += 1) {
    clock.at = 1000 + second
    pace.see(rows(Math.min(second, 5)))
  }
  expect(pace.see(rows(5))).toMatchObject({ per_second: 0, remaining_seconds: null })
})

test('another step begins anew, and so does one that starts over or a clock that was set back', () => {
  const { clock, pace } = open()
  pace.see(rows(0))
  clock.at = 1010
  pace.see(rows(500))
  expect(pace.see(rows(500, 'deriving'))).toMatchObject({ since: 1010, per_second: null })
  clock.at = 1020
  expect(pace.see(rows(100, 'deriving'))?.since).toBe(1020)
  clock.at = 900
  expect(pace.see(rows(200, 'deriving'))).toMatchObject({ since: 900, per_second: null })
  expect(pace.see(null)).toBeNull()
})

test('more than was announced is no time left, and what nobody knows the end of has none', () => {
  const { clock, pace } = open()
  pace.see(rows(0))
  clock.at = 1001
  expect(pace.see(rows(100_500))?.remaining_seconds).toBe(0)
  clock.at = 1002
  const endless = { ...rows(100_600), total: null }
  expect(pace.see(endless)?.remaining_seconds).toBeNull()
})
