import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draws } from '#testing/draws.ts'
import { packRows, unpackRows } from './packed-rows.ts'

const rows = [
  { id: 6, label: 'Hold', votes: 0, previous: null, bins: [1, 2], counts: [{ of: 1, is: 9 }] },
  { id: 3, label: 'Sell', votes: 0, previous: null, bins: [], counts: [] },
  { id: 2, label: 'Hold', votes: 0, previous: null, bins: [], counts: [{ of: 1, is: 8 }] },
  { id: 1, label: 'Hold', votes: 0, previous: null, bins: [3], counts: [{ of: 3, is: 6 }] },
]

describe('rows on their way into a page', () => {
  it('name each column once, and a value that all have once', () => {
    expect(packRows(rows)).toEqual({
      $columns: {
        id: [6, 3, 2, 1],
        label: { $of: ['Hold', 'Sell'], $at: '0100' },
        votes: { $all: 0 },
        previous: { $all: null },
        bins: [[1, 2], [], [], [3]],
        counts: {
          $lists: { $columns: { of: [1, 1, 3], is: [9, 8, 6] }, $rows: 3 },
          $lengths: [1, 0, 1, 1],
        },
      },
      $rows: 4,
    })
    expect(unpackRows(packRows(rows))).toEqual(rows)
  })

  it('write what follows from other values once: even steps, what comes again, the text of an instant', () => {
    const bins = [1, 2, 3, 4].map((at) => ({
      from: 60 * at,
      value: at % 2,
      to: 60 * at + 60,
      to_date: `1970-01-01 00:0${at + 1}:00`,
      end: at === 4 ? null : 9,
      end_date: at === 4 ? null : '1970-01-01 00:00:09',
    }))
    expect(packRows(bins)).toEqual({
      $columns: {
        from: { $first: 60, $step: 60 },
        value: { $again: [1, 0] },
        to: { $first: 120, $step: 60 },
        to_date: { $date: 'to' },
        end: [9, 9, 9, null],
        end_date: { $date: 'end' },
      },
      $rows: 4,
    })
    expect(unpackRows(packRows(bins))).toEqual(bins)
    // Another text than that of the instant is kept as it is.
    const other = bins.map((bin) => ({ ...bin, to_date: 'soon' }))
    expect(unpackRows(packRows(other))).toEqual(other)
  })

  it('write texts one after the other, unless a text has a comma itself or is empty', () => {
    const columns = (values: (string | null)[]) =>
      packRows(values.map((average, id) => ({ id, average })))
    expect(columns(['1.5', null, '2.5'])).toEqual({
      $columns: { id: { $first: 0, $step: 1 }, average: { $texts: '1.5,,2.5' } },
      $rows: 3,
    })
    for (const values of [
      ['1.5', null, '2.5'],
      ['1,5', null, '2.5'],
      ['', null, '2.5'],
    ]) {
      expect(unpackRows(columns(values))).toEqual(values.map((average, id) => ({ id, average })))
    }
  })

  it('are the same object where they were the same: it is written once', () => {
    expect(packRows(rows)).toBe(packRows(rows))
    expect(packRows({ a: rows, b: rows })).toEqual({ a: packRows(rows), b: packRows(rows) })
  })

  it('come back as they were, whatever they hold', () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<unknown>(
          null,
          true,
          -0,
          0,
          1,
          2,
          1e300,
          1.5,
          'x',
          '',
          'x,y',
          '1970-01-01 00:00:01',
          '$all',
          '__proto__',
        ),
        fc.array(tie('value'), { maxLength: 5 }),
        fc.array(tie('row'), { minLength: 3, maxLength: 6 }),
        tie('row'),
      ),
      row: fc.dictionary(
        fc.constantFrom(
          'id',
          'id_date',
          '$date',
          '$again',
          '$step',
          '$columns',
          '$rows',
          '$all',
          '$lists',
          '$of',
          '$as',
          '__proto__',
        ),
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
      { numRuns: draws(2000) },
    )
  })
})
