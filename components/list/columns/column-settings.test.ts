import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  parseSettings,
  toDefaults,
  toSettingsCookie,
  toSettingsText,
  toWidths,
  WIDTH_MAX_PX,
  WIDTH_MIN_PX,
} from './column-settings.ts'
import { withColumnAt } from './column-table.ts'

const LIST = { path: 'samples', table: ['symbol', 'user', 'rating', 'posted', 'id'] as const }
const NAMES = LIST.table

describe('stored settings', () => {
  it('are read as they were written', () => {
    const settings = {
      order: NAMES.toReversed(),
      hidden: ['id', 'symbol'] as const,
      sizes: { symbol: 120, rating: 300 },
      density: 'compact' as const,
    }
    expect(parseSettings(toSettingsText(settings, LIST), LIST)).toEqual(settings)
  })

  it('are empty for the defaults', () => {
    const defaults = toDefaults(LIST)
    expect(toSettingsText(defaults, LIST)).toBe('')
    expect(parseSettings('', LIST)).toEqual(defaults)
  })

  it('hide columns that show only when chosen, and remember that one is shown', () => {
    const list = { ...LIST, hidden: ['id'] as const }
    expect(parseSettings('', list).hidden).toEqual(['id'])
    expect(toSettingsText(toDefaults(list), list)).toBe('')
    const shown = { ...toDefaults(list), hidden: [] }
    expect(parseSettings(toSettingsText(shown, list), list).hidden).toEqual([])
  })

  it('yield a table that can be drawn, whatever they hold: each column once, at least one shown, widths within bounds', () => {
    const settingsLike = fc.record(
      {
        order: fc.option(
          fc.array(fc.oneof(fc.constantFrom(...NAMES, '__proto__', 'toString'), fc.anything())),
        ),
        hidden: fc.array(fc.oneof(fc.constantFrom(...NAMES), fc.anything())),
        sizes: fc.oneof(
          fc.dictionary(fc.constantFrom(...NAMES, 'nope'), fc.double()),
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
        const { order, hidden, sizes, density } = parseSettings(text, LIST)
        expect(order.toSorted()).toEqual(NAMES.toSorted())
        expect(hidden.length).toBeLessThan(order.length)
        for (const [name, px] of Object.entries(sizes)) {
          expect(NAMES).toContain(name)
          expect(px >= WIDTH_MIN_PX && px <= WIDTH_MAX_PX && Number.isInteger(px)).toBe(true)
        }
        expect(['comfortable', 'compact']).toContain(density)
      }),
    )
  })

  it('of a later release are read as far as possible', () => {
    const text = JSON.stringify({
      version: 9,
      order: ['score', 'id', 'symbol'],
      density: 'cosy',
      sizes: { id: '9' },
    })
    const settings = parseSettings(text, LIST)
    expect(settings.order.slice(0, 2)).toEqual(['id', 'symbol'])
    expect(settings.density).toBe('comfortable')
    expect(settings.sizes).toEqual({})
  })

  it('show a new column, as the last one', () => {
    const known = NAMES.filter((id) => id !== 'rating')
    const { order, hidden } = parseSettings(JSON.stringify({ version: 1, order: known }), LIST)
    expect(order).toEqual([...known, 'rating'])
    expect(hidden).toEqual([])
  })

  it('have a cookie for each list; that of ratings has no suffix', () => {
    expect(toSettingsCookie('ratings')).toBe('table')
    expect(toSettingsCookie('lookups')).toBe('table.lookups')
    expect(toSettingsCookie('symbols/near')).toBe('table.symbols.near')
  })
})

describe('a moved column', () => {
  it('stops at the ends', () => {
    expect(withColumnAt(NAMES, 'user', 0).slice(0, 2)).toEqual(['user', 'symbol'])
    expect(withColumnAt(NAMES, 'symbol', -1)).toEqual(NAMES)
    expect(withColumnAt(NAMES, 'symbol', 99).at(-1)).toBe('symbol')
  })
})

const DEFAULT_PX = { symbol: 76, rating: 202, id: 67 }

const sized = (ids: readonly (keyof typeof DEFAULT_PX)[]) =>
  ids.map((id) => ({ id, getSize: () => DEFAULT_PX[id] }))

describe('widths', () => {
  it('are all given until one is set', () => {
    expect(toWidths(sized(['symbol', 'rating']), {}).widths).toEqual([76, 202])
  })

  it('leave the rest to the last column once one is set; the table has room for all', () => {
    const { widths, leastPx } = toWidths(sized(['symbol', 'rating', 'id']), { symbol: 100 })
    expect(widths).toEqual([100, 202, null])
    expect(leastPx).toBe(100 + 202 + 67)
  })

  it('ignore columns that are not shown', () => {
    const shown = sized(['symbol', 'rating'])
    expect(toWidths(shown, { id: 300 })).toEqual(toWidths(shown, {}))
  })
})
