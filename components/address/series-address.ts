import {
  COMPARED_MAX,
  type SeriesQuery,
  seriesQuery,
  trackQuery,
} from '#lib/contract/api-queries.ts'
import type { Issue } from '#lib/contract/faults.ts'
import type { HorizonName } from '#lib/contract/horizons.ts'
import { parameter } from '#lib/contract/query-parameters.ts'
import { querySchema, readLeniently, toParams } from '#lib/contract/query-schema.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { type Chosen, only, splitList } from '#lib/contract/value-list.ts'
import { toSymbolHref } from './page-address.ts'
import { ratingsOfSymbol } from './symbol-address.ts'
import { type Extent, toRangeStart } from './time-range.ts'

/** Below so many active ratings a mean says little about a community: unless told otherwise, it is not drawn. */
export const MINIMUM_DEFAULT = 3
const MINIMUM_MOST = 100

/** How many other symbols stand beside a page's own. */
export const OTHERS_MAX = COMPARED_MAX - 1

/**
 * What a symbol's page shows: the series asked for, the least number of active ratings (`minimum`) that a consensus is
 * drawn over, and how it is drawn. `isWhole`: all time is asked for, where without a range it is a page's usual one. `vs` are the symbols compared with, `hidden` those of them, or the page's own, that
 * are switched off.
 */
export type SeriesView = SeriesQuery & {
  isWhole: boolean
  asTable: boolean
  minimum: number
  trend: 'count' | 'percent'
  showsWeighted: boolean
  vs: readonly string[]
  mode: 'overlay' | 'multiples'
  scale: 'rating' | 'change'
  hidden: readonly string[]
  price: 'linear' | 'log'
  /** After how many days what followed each month is looked at. */
  horizon: HorizonName
  why: WhySpan
}

/** What "why it moved" is about: so many days up to the page's instant, or the chart's range. */
export type WhySpan = '7' | '30' | '90' | 'range'

const IN_ORDER = { excludes: false, isSorted: false }

/** The address of a symbol's page. */
export const symbolPageQuery = querySchema(
  {
    ...seriesQuery.parameters,
    range: parameter.choice(['all'], null, 'All time.'),
    view: parameter.choice(['table'], null, 'A table in place of the chart.'),
    min: parameter.count(
      MINIMUM_MOST,
      MINIMUM_DEFAULT,
      'The least number of active ratings that a consensus is drawn over.',
      '5',
    ),
    trend: parameter.choice(['percent', 'count'], null, 'Counts in place of shares.'),
    weighted: parameter.choice(['1'], null, 'The weighted consensus too.'),
    vs: parameter.symbols('The symbols that are compared, in order.', IN_ORDER),
    compare: parameter.choice(['multiples'], null, 'A chart for each symbol.'),
    scale: parameter.choice(['change'], null, 'The change in place of the consensus.'),
    hide: parameter.symbols('The compared symbols that are switched off.', IN_ORDER),
    price: parameter.choice(['log'], null, 'The scale of prices.'),
    horizon: trackQuery.parameters.horizon,
    why: parameter.choice(['7', '30', 'range'], null, 'The days, or the range, of why it moved.'),
  },
  seriesQuery,
)

/** The view that the address of a symbol's page asks for, and what had to be ignored in it. */
export function readSeriesView(
  params: URLSearchParams,
  symbol: string,
): { view: SeriesView; ignored: Issue[] } {
  const { query, ignored } = readLeniently(symbolPageQuery, params)
  const own = toSymbolKey(symbol)
  const { bucket, from, to, asof } = query
  const others = selectOthers(query.vs, own)
  const hidden = query.hide.only.filter((one) => one === own || others.kept.includes(one))
  return {
    view: {
      ...{ bucket, from, to, asof, hidden },
      isWhole: query.range === 'all' && from === null && to === null,
      asTable: query.view === 'table',
      minimum: query.min,
      trend: query.trend ?? 'percent',
      showsWeighted: query.weighted === '1',
      vs: others.kept,
      mode: query.compare ?? 'overlay',
      scale: query.scale ?? 'rating',
      price: query.price ?? 'linear',
      horizon: query.horizon,
      why: query.why ?? '90',
    },
    ignored: [
      ...ignored,
      ...others.problems.map((message) => ({ parameter: 'vs', message })),
      ...(isGivenTwice(params.getAll('vs'), query.vs) ? [TWICE] : []),
      ...(hidden.length < query.hide.only.length + query.hide.not.length ? [NOT_DRAWN] : []),
    ],
  }
}

const TWICE: Issue = { parameter: 'vs', message: 'names a symbol twice; it is drawn once' }
const NOT_DRAWN: Issue = { parameter: 'hide', message: 'names a symbol that is not compared' }

function selectOthers(vs: Chosen<string>, own: string) {
  const others = vs.only.filter((one) => one !== own)
  const problems: string[] = []
  if (others.length < vs.only.length) problems.push('names this page’s own symbol')
  if (vs.not.length > 0) problems.push('cannot exclude a symbol')
  if (others.length > OTHERS_MAX) {
    problems.push(`takes at most ${OTHERS_MAX} symbols; the first ${OTHERS_MAX} are drawn`)
  }
  return { kept: others.slice(0, OTHERS_MAX), problems }
}

/** A list counts double values once; whoever wrote one should know. What could not be read at all is said elsewhere. */
function isGivenTwice(values: readonly string[], { only, not }: Chosen<string>): boolean {
  const read = only.length + not.length
  return read > 0 && values.flatMap((value) => splitList(value) ?? []).length > read
}

type Known = Record<'first' | 'last' | 'now', number>

/** From a symbol's first rating to the instant that a page stands at, which ends now where that is to come. */
export const toExtent = ({ first, last, now }: Known, asof: number | null) => ({
  extent: { from: first, to: asof === null ? now : Math.min(asof, now) },
  last,
})

/** What a symbol's page shows of its time where the address says nothing: months back, fewer on a phone. */
export const toUsualMonths = (isPhone: boolean): number => (isPhone ? 12 : 36)

/** What a page without a range is judged by: `last` is when the symbol was rated last; instants in seconds since 1970. */
type Usual = { months: number; extent: Extent; last: number }

/** The view with the range that is drawn: where its address has none, the usual one, or all time where that is shorter. */
export function withUsualRange(view: SeriesView, { months, extent, last }: Usual): SeriesView {
  if (view.isWhole || view.from !== null || view.to !== null) return view
  const start = toRangeStart({ months }, extent.to)
  // What was rated last before then would be a line without an event.
  const isShorter = start !== null && start > extent.from && start <= last
  return isShorter ? { ...view, from: start } : view
}

/** The canonical address of a view. */
export const toSymbolPageParams = ({ vs, hidden, ...view }: SeriesView): URLSearchParams =>
  toParams(symbolPageQuery, {
    ...view,
    range: view.isWhole && view.from === null && view.to === null ? 'all' : null,
    view: view.asTable ? 'table' : null,
    min: view.minimum,
    trend: view.trend === 'count' ? view.trend : null,
    weighted: view.showsWeighted ? '1' : null,
    vs: only(...vs),
    compare: view.mode === 'multiples' ? view.mode : null,
    scale: view.scale === 'change' ? view.scale : null,
    hide: only(...hidden),
    price: view.price === 'log' ? view.price : null,
    why: view.why === '90' ? null : view.why,
  })

/** The page that compares symbols: that of the first one. */
export const toCompareHref = ([first = '', ...others]: readonly string[], asof: number | null) =>
  toSymbolHref(first, toParams(symbolPageQuery, { asof, vs: only(...others) }))

/** What of a view decides which ratings stand below the chart. */
export type ShownRange = Pick<SeriesView, 'from' | 'to' | 'asof'>

/** The ratings that were posted in the range of a view, by its instant. */
export const ratingsInRange = (symbol: string, { from, to, asof }: ShownRange): RatingsQuery => ({
  ...ratingsOfSymbol(symbol),
  from,
  to,
  asof,
})

/**
 * The span of why it moved: after `from` up to `to`, null being the instant that the page stands at, `at`. A rating that was posted in a
 * range's first second is in the range.
 */
export function toMovesSpan(
  { why, from, to }: Pick<SeriesView, 'why' | 'from' | 'to'>,
  { extent, at }: { extent: Extent; at: number },
): { from: number; to: number | null } {
  if (why !== 'range') return { from: at - Number(why) * DAY_SECONDS, to: null }
  return { from: (from ?? extent.from + 1) - 1, to: to === null || to > extent.to ? null : to - 1 }
}

const DAY_SECONDS = 86_400

/** How many of the latest changes stand beside the chart. */
const CHANGES = 3

const UPGRADED = 2
const DOWNGRADED = 3

/** The latest upgrades and downgrades of a symbol, by `asof` (seconds since 1970; null is now). */
export const toChangesQuery = (symbol: string, asof: number | null): RatingsQuery => ({
  ...ratingsOfSymbol(symbol),
  action: only(UPGRADED, DOWNGRADED),
  asof,
  per_page: CHANGES,
})
