import { expect, test } from 'vitest'
import { readSeriesView } from '#components/symbols/series-view.ts'
import { toQueryText } from '#lib/contract/query-schema.ts'
import { toCompareEmbed, toSeriesEmbed } from './embed-address.ts'

const VIEW = readSeriesView(
  new URLSearchParams('bucket=week&from=2024-01-01&to=2024-08-01&asof=2024-08-02&vs=MSFT,BRK.B'),
  'AAPL',
).view
const query = ({ params }: { params: URLSearchParams }) => toQueryText(params)

test('keeps the range of the chart, and the symbols of a comparison', () => {
  expect(query(toSeriesEmbed('AAPL', VIEW))).toBe('?from=2024-01-01&to=2024-08-01')
  const compared = toCompareEmbed('AAPL', VIEW)
  expect(compared.path).toBe('/embed/symbols/AAPL')
  expect(query(compared)).toBe('?from=2024-01-01&to=2024-08-01&vs=MSFT,BRK.B')
})
