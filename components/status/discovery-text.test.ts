import { expect, test } from 'vitest'
import { ENGLISH_FORMATS } from '#components/format/formats.ts'
import type { Discovery } from '#lib/contract/answers/status.ts'
import { toDiscoveryFacts } from './discovery-text.ts'

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
  toDiscoveryFacts({ ...NOTHING, ...change }, ENGLISH_FORMATS).map(
    ({ term, detail }) => `${term}: ${detail}`,
  )

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
    'Versions: named for dumps only',
    'Clock: 420 s behind ours',
  ])
})
