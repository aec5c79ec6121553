import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packRows, unpackRows } from './packed-rows.ts'

const rows = [
  { id: 3, symbol: 'AAPL', votes: 0, previous: null, bins: [1, 2] },
  { id: 2, symbol: 'MSFT', votes: 0, previous: null, bins: [] },
  { id: 1, symbol: 'TSLA', votes: 0, previous: null, bins: [3] },
]

describe('rows on their way into a page', () => {
  it('name each column once, and a value that all have once', () => {
    expect(packRows(rows)).toEqual({
      $columns: {
        id: [3, 2, 1],
        symbol: ['AAPL', 'MSFT', 'TSLA'],
        votes: { $all: 0 },
        previous: { $all: null },
        bins: [[1, 2], [], [3]],
      },
      $rows: 3,
    })
    expect(unpackRows(packRows(rows))).toEqual(rows)
  })

  it('are the same object where they were the same: it is written once', () => {
    expect(packRows(rows)).toBe(packRows(rows))
    expect(packRows({ a: rows, b: rows })).toEqual({ a: packRows(rows), b: packRows(rows) })
  })

  it('come back as they were, whatever they hold', () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<unknown>(null, true, -0, 1.5, 'x', '$all', '__proto__'),
        fc.array(tie('value'), { maxLength: 5 }),
        fc.array(tie('row'), { minLength: 3, maxLength: 6 }),
        tie('row'),
      ),
      row: fc.dictionary(
        fc.constantFrom('id', 'symbol', '$columns', '$rows', '$all', '$as', '__proto__'),
        tie('value'),
        { maxKeys: 3, noNullPrototype: true },
      ),
    }))
    fc.assert(
      fc.property(value, (given) => {
        expect(unpackRows(packRows(given))).toStrictEqual(given)
        // As it travels: as text.
        const text = JSON.stringify(packRows(given))
        expect(JSON.stringify(unpackRows(JSON.parse(text)))).toEqual(JSON.stringify(given))
      }),
      { numRuns: 2000 },
    )
  })
})
