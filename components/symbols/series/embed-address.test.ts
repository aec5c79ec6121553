import { describe, expect, test } from 'vitest'
import { readSeriesView } from '#components/address/series-address.ts'
import { toChartHeight } from '#components/charts/chart-sizes.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { toCompareEmbed, toSeriesEmbed } from './embed-address.ts'

const viewOf = (query: string) => readSeriesView(new URLSearchParams(query), 'AAPL').view
const query = ({ params }: { params: URLSearchParams }) => toQueryText(params)

const ALL =
  'bucket=week&from=2024-01-01&to=2024-08-01&asof=2024-08-02&min=5&trend=count&weighted=1&vs=MSFT,BRK.B&compare=multiples&scale=change&hide=MSFT'

describe('the address that shows a chart on another page', () => {
  test('of a symbol has all that decides what its chart shows, and nothing of the comparison', () => {
    expect(query(toSeriesEmbed('AAPL', viewOf(ALL)))).toBe(
      '?bucket=week&from=2024-01-01&to=2024-08-01&asof=2024-08-02&min=5&trend=count&weighted=1',
    )
  })

  test('of a comparison has all that decides what it shows, and nothing of the symbol’s own chart', () => {
    const embed = toCompareEmbed('AAPL', viewOf(ALL))
    expect(embed.path).toBe('/embed/symbols/AAPL')
    expect(query(embed)).toBe(
      '?bucket=week&from=2024-01-01&to=2024-08-01&asof=2024-08-02&min=5&vs=MSFT,BRK.B&compare=multiples&scale=change&hide=MSFT',
    )
  })

  test('is read as what it was written from', () => {
    const view = viewOf(ALL)
    const { view: read, ignored } = readSeriesView(toCompareEmbed('AAPL', view).params, 'AAPL')
    expect({ read, ignored }).toEqual({
      read: { ...view, trend: 'percent', showsWeighted: false },
      ignored: [],
    })
  })

  test('leaves a comparison the height of what is switched on', () => {
    const heightOf = (text: string) => toCompareEmbed('AAPL', viewOf(text)).height
    const six = 'vs=B,C,D,E,F&compare=multiples'
    expect(heightOf(six) - heightOf(`${six}&hide=B,C`)).toBeGreaterThan(
      toChartHeight('multiples', 6) - toChartHeight('multiples', 4),
    )
    expect(heightOf('vs=B&hide=AAPL,B')).toBeGreaterThan(toChartHeight('overlay', 1))
  })
})
