import fc from 'fast-check'
import { expect, it } from 'vitest'
import { COLUMN_IDS } from './column-facts.ts'
import {
  DEFAULT_SETTINGS,
  parseSettings,
  toSettingsText,
  WIDTH_MAX_PX,
  WIDTH_MIN_PX,
} from './table-settings.ts'

it('what is kept comes back as it was', () => {
  const settings = {
    order: [...COLUMN_IDS].reverse(),
    hidden: ['id', 'symbol'] as const,
    sizes: { symbol: 120, rating: 300 },
    density: 'compact' as const,
  }
  expect(parseSettings(toSettingsText(settings))).toEqual(settings)
})

it('a newcomer’s settings take no room', () => {
  expect(toSettingsText(DEFAULT_SETTINGS)).toBe('')
  expect(parseSettings('')).toEqual(DEFAULT_SETTINGS)
})

it('whatever is kept, the table can be drawn: every column once, one at least shown, widths within bounds', () => {
  const settingsLike = fc.record(
    {
      order: fc.option(
        fc.array(fc.oneof(fc.constantFrom(...COLUMN_IDS, '__proto__', 'toString'), fc.anything())),
      ),
      hidden: fc.array(fc.oneof(fc.constantFrom(...COLUMN_IDS), fc.anything())),
      sizes: fc.oneof(
        fc.dictionary(fc.constantFrom(...COLUMN_IDS, 'nope'), fc.double()),
        fc.anything(),
      ),
      density: fc.anything(),
    },
    { requiredKeys: [] },
  )
  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    settingsLike.map((value) => JSON.stringify(value) ?? ''),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const { order, hidden, sizes, density } = parseSettings(text)
      expect([...order].sort()).toEqual([...COLUMN_IDS].sort())
      expect(hidden.length).toBeLessThan(order.length)
      for (const px of Object.values(sizes)) {
        expect(px >= WIDTH_MIN_PX && px <= WIDTH_MAX_PX && Number.isInteger(px)).toBe(true)
      }
      expect(['comfortable', 'compact']).toContain(density)
    }),
  )
})

it('what an earlier release kept is taken over: the names of hidden columns', () => {
  expect(parseSettings('id,user_id').hidden).toEqual(['id', 'user_id'])
})

it('what a later release keeps is taken as far as it is understood', () => {
  const text = JSON.stringify({
    version: 9,
    order: ['score', 'id', 'symbol'],
    density: 'cosy',
    sizes: { id: '9' },
  })
  const settings = parseSettings(text)
  expect(settings.order.slice(0, 2)).toEqual(['id', 'symbol'])
  expect(settings.density).toBe('comfortable')
  expect(settings.sizes).toEqual({})
})

it('a column that is new to a reader stands at the end and is shown', () => {
  const known = COLUMN_IDS.filter((id) => id !== 'action')
  const { order, hidden } = parseSettings(JSON.stringify({ version: 1, order: known }))
  expect(order).toEqual([...known, 'action'])
  expect(hidden).toEqual([])
})
