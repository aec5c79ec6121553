import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { draws } from '#testing/draws.ts'
import { createNumberEvidence, readDecimal } from './numbers.ts'

function readColumn(cells: readonly string[], delimiter = ','): (string | null)[] {
  const evidence = createNumberEvidence()
  for (const cell of cells) evidence.see(cell)
  const format = evidence.format(delimiter)
  return cells.map((cell) => {
    const read = readDecimal(cell, format)
    return 'value' in read ? read.value : null
  })
}

describe('where commas separate cells', () => {
  it.each<[string, string[], (string | null)[]]>([
    ['a comma separates thousands', ['999', '1,001', '1,010.50'], ['999', '1001', '1010.50']],
    ['also where no other number shows it', ['1,001'], ['1001']],
    ['a point is the decimal mark', ['1.001', '12.5'], ['1.001', '12.5']],
    ['a comma that can only be decimal is', ['207,88', '5,5'], ['207.88', '5.5']],
    [
      'a number that can be both is not read beside decimal commas',
      ['207,88', '1,001'],
      ['207.88', null],
    ],
    [
      'one mistake changes no other number',
      [...Array(30).fill('1,001.5'), '1,01', '1,002'],
      [...Array(30).fill('1001.5'), null, '1002'],
    ],
  ])('%s', (_, cells, expected) => {
    expect(readColumn(cells)).toEqual(expected)
  })
})

describe('where semicolons separate cells', () => {
  it.each<[string, string[], (string | null)[]]>([
    [
      'a decimal comma is shown by the column',
      ['207,88', '1.234,5', '1.001'],
      ['207.88', '1234.5', '1001'],
    ],
    ['so is a decimal point', ['207.88', '1.001'], ['207.88', '1.001']],
    ['a number that can be both is not read', ['1,001', '7', '1.001'], [null, '7', null]],
  ])('%s', (_, cells, expected) => {
    expect(readColumn(cells, ';')).toEqual(expected)
  })
})

it('where tabs separate cells, points alone are decimal marks and commas alone are open', () => {
  expect(readColumn(['1.085', '1.091'], '\t')).toEqual(['1.085', '1.091'])
  expect(readColumn(['1,085', '1,091'], '\t')).toEqual([null, null])
})

it.each([
  ['$207.88', '207.88'],
  ['-$5', '-5'],
  ['$-5.5', '-5.5'],
  ['207.88 €', '207.88'],
  ['USD 1,207.88', '1207.88'],
  ['R$ 10.5', '10.5'],
  ['12.5%', '0.125'],
  ['5.1e-05', '0.000051'],
  ['1.2E+03', '1200'],
  ['.85', '0.85'],
  ['5.', '5'],
  ['1 234 567.5', '1234567.5'],
  ['1\u00a0234.5', '1234.5'],
  ['1\u202f234', '1234'],
  ["1'234.50", '1234.50'],
  ['1,23,456.78', '123456.78'],
  ['(1.5)', '-1.5'],
  ['\u22121.5', '-1.5'],
  ['+7', '7'],
  ['007.10', '7.10'],
])('%j is %s', (text, value) => {
  expect(readDecimal(text, { decimal: '.' })).toEqual({ value })
})

it.each([
  '',
  '-',
  'N/A',
  '1.2.3',
  '1,2,3',
  '12a',
  '0x10',
  '1e9999',
  '..',
  '--1',
  '1 2',
  'Infinity',
  '1'.repeat(65),
  '1_000',
])('%j is not a number', (text) => {
  expect(readDecimal(text, { decimal: '.' })).toHaveProperty('reason')
})

it('gives one reason when numbers can be read in two ways', () => {
  const reasons = ['1,001', '2.002'].map((text) => readDecimal(text, { decimal: null }))
  expect(new Set(reasons.map((read) => JSON.stringify(read))).size).toBe(1)
  expect(reasons[0]).toEqual({
    reason: 'can be read as two numbers: its column does not show the decimal mark',
  })
})

it('a decimal is exact, however it is written', () => {
  const digits = fc.stringMatching(/^[1-9]\d{0,12}$/)
  const places = fc.stringMatching(/^\d{1,8}$/)
  fc.assert(
    fc.property(digits, places, fc.integer({ min: -8, max: 8 }), (whole, fraction, shift) => {
      const plain = `${whole}.${fraction}`
      const grouped = `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`
      expect(readDecimal(grouped, { decimal: '.' })).toEqual({ value: plain })
      const shifted = readDecimal(`${plain}e${shift}`, { decimal: '.' })
      if (!('value' in shifted)) throw new Error(shifted.reason)
      const back = readDecimal(`${shifted.value}e${-shift}`, { decimal: '.' })
      expect(back).toHaveProperty('value')
      expect(Number(shifted.value)).toBeCloseTo(Number(`${plain}e${shift}`), 6)
      const strip = (text: string) => text.replace(/0+$/, '').replace(/\.$/, '')
      if ('value' in back) expect(strip(back.value)).toBe(strip(plain))
    }),
    { numRuns: draws(300) },
  )
})
