import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Curve } from 'recharts'
import { describe, expect, test } from 'vitest'
import { toSparkPoints, toSparkReading } from './sparkline.tsx'

const draw = (spark: (string | null)[]) =>
  renderToStaticMarkup(createElement(Curve, { points: toSparkPoints(spark) }))

describe('a sparkline', () => {
  test('has its highest value at its top and its lowest at its bottom', () => {
    expect(toSparkPoints(['4.0000', '3.0000', '3.5000'])).toEqual([
      { x: 0, y: 10 },
      { x: 1, y: 210 },
      { x: 2, y: 110 },
    ])
    expect(toSparkPoints(['-7.0000', '9.0000']).map(({ y }) => y)).toEqual([210, 10])
  })

  test('draws less than half a step flatter, in the middle', () => {
    expect(toSparkPoints(['3.0100', '3.0200']).map(({ y }) => y)).toEqual([112, 108])
    expect(toSparkPoints(['3.0000', null]).map(({ y }) => y)).toEqual([110, null])
  })

  test('is broken where there is no value, and draws a value that stands alone', () => {
    const drawn = draw(['5.0000', null, '1.0000', '1.0000'])
    expect(drawn).toContain('d="M0,10ZM2,210L3,210"')
    expect(draw([null, null])).not.toContain(' d="')
  })

  test('says where it began, where it is, and between what it moved', () => {
    const read = (spark: (string | null)[]) => toSparkReading(spark, (text) => text.slice(0, 4))
    expect(read([null, '3.5000', '4.2500', '4.0000'])).toBe(
      'Consensus in a year: 3.50 to 4.00, between 3.50 and 4.25',
    )
    expect(read(['3.5000', null])).toBe(
      'Consensus in a year: 3.50 to 3.50, none now, between 3.50 and 3.50',
    )
    expect(read([null, null])).toBe('No consensus in the last year')
  })
})
