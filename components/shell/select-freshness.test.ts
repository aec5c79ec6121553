import { expect, test } from 'vitest'
import type { Status } from '#lib/contract/answers/state.ts'
import { selectFreshness } from './select-freshness.ts'

const NOW = Date.parse('2026-11-20T14:05:00Z') / 1000

const status = (sync: Partial<Status['sync']>, complete_to: number | null = NOW - 120): Status => ({
  archive: { ratings: 98_310, generation: 3, complete_to },
  sync: {
    state: 'idle',
    reason: null,
    progress: null,
    checked_at: NOW - 120,
    next_at: null,
    ...sync,
  },
  budget: { minute: { limit: 60, used: 1 }, month: { limit: null, used: 1 } },
  editions: { posts: null, lookups: null },
  quarantine: { rows: 0, latest: [] },
  service: { kind: 'embedded', address: 'http://127.0.0.1:3000/service' },
  now: NOW,
})

const line = (value: Status) => {
  const { tone, text, detail } = selectFreshness(value, NOW)
  return `${tone}: ${text}${detail ? ` · ${detail}` : ''}`
}

test('a calm archive says up to when it is complete and when that was checked', () => {
  expect(line(status({}))).toBe('good: Complete to 14:03 UTC · checked 2 min ago')
})

test('a day that is not today is named', () => {
  expect(line(status({}, NOW - 86_400))).toContain('Complete to 2026-11-19 14:05 UTC')
})

test('the first import shows how far it is', () => {
  const progress = { step: 'importing', done: 45_000, total: 100_000, unit: 'rows' } as const
  expect(line(status({ state: 'bootstrapping', progress }, null))).toBe(
    'busy: Importing 45,000 of 100,000 rows',
  )
  const unknown = { step: 'fetching', done: 0, total: null, unit: 'bytes' } as const
  expect(line(status({ state: 'bootstrapping', progress: unknown }, null))).toBe('busy: Fetching')
  expect(line(status({ state: 'starting', checked_at: null }, null))).toBe('busy: Starting')
})

test('waiting and stopped are said in words and keep what is known', () => {
  expect(line(status({ state: 'waiting' }))).toBe(
    'waiting: Complete to 14:03 UTC · waiting, checked 2 min ago',
  )
  expect(line(status({ state: 'waiting' }, null))).toBe('waiting: Waiting')
  expect(line(status({ state: 'stopped' }))).toBe('failed: Sync stopped · complete to 14:03 UTC')
})
