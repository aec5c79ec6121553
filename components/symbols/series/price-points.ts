import type { Closes, Reading } from '#components/charts/chart-data.ts'
import { formatCount, formatCounted, formatDecimal } from '#components/format/numbers.ts'
import type { Series } from '#lib/contract/answers/opinion.ts'
import type { PriceSeries } from '#lib/contract/answers/symbols.ts'

type Close = PriceSeries['points'][number]

/** A close remains valid for this long, as for calls. */
const REACH_SECONDS = 7 * 86_400

/** Null if there is no recent close. */
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

export const toOwnCloses = ({ points }: Pick<PriceSeries, 'points'>): Map<number, Close> =>
  new Map(points.map((point) => [point.t, point]))

export const toDrawnCloses = (series: Series, prices: PriceSeries): Closes =>
  toCloses(series, prices).map((close) => (close === null ? null : Number(close.close)))

export function createPriceReading(
  series: Series,
  prices: PriceSeries,
): (index: number) => Reading[] {
  const closes = toCloses(series, prices)
  return (index) => {
    const close = closes[index] ?? null
    return [{ name: 'Price', text: close === null ? 'none' : toCloseText(close.close) }]
  }
}

export const PRICE_RULE = 'Price: the last close known by the end of each bucket.'

const FLAGS_NAMED = 3

/** Null without flags. */
export function toFlagText({ flags }: Pick<PriceSeries, 'flags'>): string | null {
  const [spikes, jumps] = [selectFlags(flags, 'spike'), selectFlags(flags, 'jump')]
  const parts = [
    ...(spikes.length === 0
      ? []
      : [`${formatCounted(spikes.length, 'close')} left out: ${toFlagNames(spikes)}.`]),
    ...(jumps.length === 0
      ? []
      : [`Price jumped on ${toFlagNames(jumps)}: calls across a jump do not count.`]),
  ]
  return parts.length === 0 ? null : parts.join(' ')
}

type Flag = PriceSeries['flags'][number]

const selectFlags = (flags: readonly Flag[], kind: Flag['kind']) =>
  flags.filter((flag) => flag.kind === kind)

function toFlagNames(flags: readonly Flag[]): string {
  const names = flags
    .slice(0, FLAGS_NAMED)
    .map(({ date, factor }) => `${date} (${toCloseText(factor)} times the close before)`)
  const more = flags.length - names.length
  return more > 0 ? `${names.join(', ')} and ${formatCount(more)} more` : names.join(', ')
}

/** Two decimal places; all of them below 1. */
export const toCloseText = (close: string): string =>
  formatDecimal(Number(close) < 1 ? close.replace(TRAILING, '$1') : Number(close).toFixed(2))

const TRAILING = /(\.\d{2}\d*?)0+$/
