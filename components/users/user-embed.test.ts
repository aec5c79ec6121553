import { expect, test } from 'vitest'
import { readUserView } from '#components/address/user-address.ts'
import { readUserEmbed, toActivityEmbed, toRatingsEmbed } from './user-embed.ts'

const viewOf = (text: string) => readUserView(new URLSearchParams(text)).view
const VIEWS = ['', 'range=1y', 'range=all&rows=all&view=table', 'activity=table&asof=2024-08-02']

test('the line that embeds a chart asks for the chart that the page shows', () => {
  for (const view of VIEWS.map(viewOf)) {
    const ratings = readUserEmbed(toRatingsEmbed({ userId: 12, view, rows: 5 }).params)
    expect(ratings).toEqual({ chart: 'ratings', view: { ...view, activity: null }, ignored: [] })
    const map = readUserEmbed(toActivityEmbed(12, view).params)
    expect(map.chart).toBe('activity')
    expect(map.ignored).toEqual([])
    expect([map.view.activity, map.view.asof]).toEqual([view.activity, view.asof])
  }
})

test('a frame is as high as its rows', () => {
  const heightOf = (rows: number) => toRatingsEmbed({ userId: 12, view: viewOf(''), rows }).height
  expect(heightOf(12) - heightOf(2)).toBe(10 * 26)
})

test('a chart that does not exist is named, and the ratings are shown', () => {
  const read = readUserEmbed(new URLSearchParams('chart=pie&range=1y'))
  expect(read.chart).toBe('ratings')
  expect(read.view.range).toBe('1y')
  expect(read.ignored.map(({ parameter }) => parameter)).toEqual(['chart'])
})
