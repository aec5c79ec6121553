import { expect, test } from 'vitest'
import type { BeforeChanges } from '#lib/contract/answers/attention.ts'
import { toBeforeText } from './attention-panel.tsx'

const FOUND: BeforeChanges = {
  changes: 1200,
  symbols: 40,
  median: '1.80',
  low: '1.60',
  high: '2.00',
  is_told: true,
  placebo: { median: '1.01', low: '0.95', high: '1.07' },
}

const say = (found: Partial<BeforeChanges>) => toBeforeText('an upgrade', { ...FOUND, ...found })

test('what came before changes is said with its interval, its n and its placebo', () => {
  expect(say({})).toBe(
    'In the week before an upgrade, a symbol was looked up 1.80 times as often as usual (1.60 to 2.00; 1,200 changes of 40 symbols); before random times, 1.01 times.',
  )
})

test('a difference that cannot be told is called none, and too little is not called a difference', () => {
  expect(say({ is_told: false })).toMatch(/The difference is not significant\.$/)
  expect(say({ median: null, symbols: 4 })).toBe(
    'Too few symbols had an upgrade in the period with look-ups to say what came before.',
  )
})
