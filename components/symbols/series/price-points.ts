import type { PriceLine, Reading } from '#components/charts/chart-data.ts'
import type { Formats } from '#components/format/numbers.ts'
import type { Series } from '#lib/contract/answers/opinion.ts'
import type { PriceSeries } from '#lib/contract/answers/prices.ts'

type Close = PriceSeries['points'][number]

/** A close stands for the days after it on which nobody traded: so many seconds at most, as an exit of a call may be old. */
const REACH_SECONDS = 7 * 86_400

/** The close of each point of a series: its bucket's own, or one from shortly before; null where there is none. */
export function toCloses(
  { points }: Pick<Series, 'points'>,
  prices: Pick<PriceSeries, 'points'>,
): (Close | null)[] {
  const own = toOwnCloses(prices)
  let last: Close | null = null
  return points.map(({ t }) => {
    last = own.get(t) ?? last
    return last !== null && t - last.t <= REACH_SECONDS ? last : null
  })
}

/** By the first second of their bucket. */
export const toOwnCloses = ({ points }: Pick<PriceSeries, 'points'>): Map<number, Close> =>
  new Map(points.map((point) => [point.t, point]))

/** Closes as they are drawn, with the buckets in which ratings were raised and lowered. */
export function toPriceLine(series: Series, prices: PriceSeries, isLog: boolean): PriceLine {
  const columns = (name: 'upgraded' | 'downgraded') =>
    series.points.flatMap((point, index) => (point[name] > 0 ? [index] : []))
  return {
    closes: toCloses(series, prices).map((close) => (close === null ? null : Number(close.close))),
    isLog,
    upgraded: columns('upgraded'),
    downgraded: columns('downgraded'),
  }
}

/** What the price's pane says of each point. */
export function createPriceReading(
  series: Series,
  prices: PriceSeries,
  formats: Formats,
): (index: number) => Reading[] {
  const closes = toCloses(series, prices)
  return (index) => {
    const [point, close] = [series.points[index], closes[index] ?? null]
    if (!point) return []
    const count = (name: string, of: number) =>
      of === 0 ? [] : [{ name, text: formats.formatCount(of) }]
    return [
      {
        name: 'Close',
        text: close === null ? 'none' : `${toCloseText(close.close, formats)}, ${close.date}`,
      },
      ...count('Upgraded', point.upgraded),
      ...count('Downgraded', point.downgraded),
    ]
  }
}

/** What is drawn of the price, and when it counts. */
export const PRICE_RULE =
  'Price: the last close known by the end of each bucket; triangles below it are buckets with upgrades, above it with downgrades.'

const TRAILING = /(\.\d{2}\d*?)0+$/

/** A close with the places that it was given with, at least two: `207.879200` is `207.8792`. */
export const toCloseText = (close: string, { formatDecimal }: Formats): string =>
  formatDecimal(close.replace(TRAILING, '$1'))
