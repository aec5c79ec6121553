import { expect, test } from 'vitest'
import type { Status } from '#lib/contract/answers/status.ts'
import { CALM_STATUS } from '#testing/contract/status.ts'
import { selectFreshness, selectUnreachable } from './freshness.tsx'

const PACE = { since: 0, per_second: null, remaining_seconds: null }
const NOW = Date.parse('2026-11-20T14:05:00Z') / 1000

const status = (sync: Partial<Status['sync']>, complete_to: number | null = NOW - 120): Status => ({
  ...CALM_STATUS,
  archive: { ...CALM_STATUS.archive, complete_to },
  sync: { ...CALM_STATUS.sync, checked_at: NOW - 120, ...sync },
  now: NOW,
})

const line = (value: Status) => {
  const { tone, text, detail } = selectFreshness(value, NOW)
  return `${tone}: ${text}${detail ? ` · ${detail}` : ''}`
}

test('a calm archive says up to when it is complete and when that was checked', () => {
  expect(line(status({}))).toBe('good: Complete to 14:03 · checked 2 min ago')
})

test.each([
  [7 * 86_400, 'good: Complete to 14:03 · checked 2 min ago'],
  [7 * 86_400 + 1, 'waiting: Complete to 14:03 · newest rating 7 days old'],
  [45 * 86_400, 'waiting: Complete to 14:03 · newest rating 45 days old'],
  [125 * 86_400, 'waiting: Complete to 14:03 · newest rating 4 months old'],
  [800 * 86_400, 'waiting: Complete to 14:03 · newest rating 2 years old'],
])(
  'a community whose newest rating is %s s old, and that is never silent for a week, is: %s',
  (age, text) => {
    const calm = status({})
    const rhythm = { newest_created_at: NOW - age, quiet_after_seconds: 7 * 86_400 }
    const quiet = { ...calm, archive: { ...calm.archive, ...rhythm } }
    expect(line(quiet)).toBe(text)
    const alarm = { kind: 'silent', since: 0, message: 'Nothing new.' } as const
    if (text.startsWith('waiting')) expect(line({ ...quiet, alarms: [alarm] })).toBe(text)
    expect(line({ ...quiet, alarms: [{ ...alarm, kind: 'disk' }] })).toContain('1 alarm')
  },
)

test('a day that is not today is named', () => {
  expect(line(status({}, NOW - 86_400))).toContain('Complete to 2026-11-19 14:05')
})

test('the first import shows how far it is', () => {
  const progress = {
    step: 'importing',
    done: 45_000,
    total: 100_000,
    unit: 'rows',
    ...PACE,
  } as const
  expect(line(status({ state: 'bootstrapping', progress }, null))).toBe(
    'busy: Importing 45,000 of 100,000 rows',
  )
  const paced = { ...progress, per_second: 11_000, remaining_seconds: 5 }
  expect(line(status({ state: 'bootstrapping', progress: paced }, null))).toBe(
    'busy: Importing 45,000 of 100,000 rows · about 5 s left',
  )
  const unknown = { step: 'fetching', done: 0, total: null, unit: 'bytes', ...PACE } as const
  expect(line(status({ state: 'bootstrapping', progress: unknown }, null))).toBe('busy: Fetching')
  expect(line(status({ state: 'starting', checked_at: null }, null))).toBe('busy: Starting')
})

test('waiting and stopped are said in words, with how old the data are', () => {
  expect(line(status({ state: 'waiting' }))).toBe('waiting: Complete to 14:03 · 2 min old, waiting')
  expect(line(status({ state: 'waiting' }, null))).toBe('waiting: Waiting')
  expect(line(status({ state: 'stopped' }))).toBe(
    'failed: Sync stopped · complete to 14:03, 2 min old',
  )
})

test('a service that does not answer is named, with how old the data are by then', () => {
  const reason = 'The service could not be reached.'
  expect(line(status({ state: 'waiting', reason }, NOW - 3 * 3600))).toBe(
    'waiting: Complete to 11:05 · 3 h old, The service could not be reached',
  )
  expect(line(status({ state: 'waiting', reason }, null))).toBe(
    'waiting: Waiting · The service could not be reached',
  )
})

test('a check that was due long ago is overdue, one that is due now is not', () => {
  const due = (next_at: number) => line(status({ next_at }, NOW - 7200))
  expect(due(NOW - 3600)).toBe('waiting: Complete to 12:05 · 2 h old, check overdue')
  expect(due(NOW - 60)).toBe('good: Complete to 12:05 · checked 2 min ago')
})

test('what was checked and could not all be read is not called good', () => {
  expect(line(status({ reason: 'Not every new rating could be read.' }))).toBe(
    'waiting: Complete to 14:03 · checked 2 min ago',
  )
})

test('a dashboard that does not answer leaves its reader the age of what he sees', () => {
  const { text, detail } = selectUnreachable(status({}, NOW - 720), NOW)
  expect(`${text} · ${detail}`).toBe('Dashboard unreachable · complete to 13:53, 12 min old')
  expect(selectUnreachable(undefined, NOW).detail).toBe('content may be outdated')
})

test('the line is told in the reader’s zone, with the day where it is another there', () => {
  const told = (zone: string, at = NOW - 120) => selectFreshness(status({}, at), NOW, { zone }).text
  expect(told('America/New_York')).toBe('Complete to 09:03')
  expect(told('Asia/Tokyo')).toBe('Complete to 23:03')
  expect(told('Asia/Tokyo', NOW - 86_400)).toBe('Complete to 2026-11-19 23:05')
})

test('an alarm is said beside how old the data are, though the sync goes on', () => {
  const alarm = { kind: 'silent', since: NOW - 60, message: 'Nobody has rated for 9 h.' } as const
  const alarmed = { ...status({}), alarms: [alarm] }
  expect(line(alarmed)).toBe('waiting: Complete to 14:03 · 2 min old, 1 alarm')
  expect(selectFreshness(alarmed, NOW).reason).toBe('Nobody has rated for 9 h.')
})
