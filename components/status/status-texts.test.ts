import { expect, test } from 'vitest'
import type { Discovery } from '#lib/contract/answers/status.ts'
import { toDiscoveryFacts, toRowChanges, toTook } from './status-texts.ts'

const NOTHING: Discovery = {
  page_size: null,
  first_page: null,
  order: null,
  order_key: null,
  order_key_moves: null,
  past_end: null,
  page_validators: null,
  dump_validators: null,
  clock_skew_seconds: null,
  checked_at: null,
}

const lines = (change: Partial<Discovery> = {}) =>
  toDiscoveryFacts({ ...NOTHING, ...change }).map(({ term, detail }) => `${term}: ${detail}`)

test('what is not known of a service is said to be so, never guessed', () => {
  expect(lines().every((line) => line.endsWith('not known yet'))).toBe(true)
})

test('what was found is told in words', () => {
  expect(
    lines({
      page_size: 100,
      first_page: 0,
      order: 'newest',
      order_key: 'tally_agree',
      order_key_moves: true,
      past_end: 'repeats',
      page_validators: false,
      dump_validators: true,
      clock_skew_seconds: -420,
    }),
  ).toEqual([
    'Page: 100 ratings each',
    'First page: number 0',
    'Order: newest first, by tally_agree, which changes: ratings move between pages',
    'Past the end: the last page again',
    'Versions: for dumps only',
    'Clock: 420 s behind ours',
  ])
})

test('how long something took is said in the two largest units that say something', () => {
  expect([0, 1, 59, 60, 185, 3600, 3720, 90_000].map(toTook)).toEqual([
    'under 1 s',
    '1 s',
    '59 s',
    '1 min',
    '3 min 5 s',
    '1 h',
    '1 h 2 min',
    '25 h',
  ])
})

test('what a run did names only what happened, and that nothing did', () => {
  const rows = { inserted: 1204, updated: 0, vanished: 2, quarantined: 0 }
  expect(toRowChanges(rows)).toBe('1,204 new, 2 gone')
  expect(toRowChanges({ ...rows, inserted: 0, vanished: 0 })).toBe('nothing new')
  expect(toRowChanges(null)).toBe('')
})
