import { type Extent, toRangeStart } from '#components/time/time-range.ts'
import { COMPARED_MAX, type SeriesQuery, seriesQuery } from '#lib/contract/api-queries.ts'
import type { Issue } from '#lib/contract/faults.ts'
import { ratingsOfSymbol, toSymbolHref } from '#lib/contract/page-addresses.ts'
import { parameter } from '#lib/contract/query-parameters.ts'
import { querySchema, readLeniently, toParams } from '#lib/contract/query-schema.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { type Chosen, only, splitList } from '#lib/contract/value-list.ts'

export const OTHERS_MAX = COMPARED_MAX - 1

/** `isWhole`: all time was requested. Otherwise, null `from` and `to` mean the usual range. */
export type SeriesView = SeriesQuery & {
  isWhole: boolean
  asTable: boolean
  vs: readonly string[]
  hidden: readonly string[]
  why: WhySpan
}

type WhySpan = '7' | '30' | '90' | 'range'

const IN_ORDER = { excludes: false, isSorted: false }

export const symbolPageQuery = querySchema(
  {
    ...seriesQuery.parameters,
    range: parameter.choice(['all'], null, 'All time.'),
    view: parameter.choice(['table'], null, 'Show a table instead of the chart.'),
    vs: parameter.symbols('The symbols that are compared, in order.', IN_ORDER),
    hide: parameter.symbols('The compared symbols that are switched off.', IN_ORDER),
    why: parameter.choice(['7', '30', 'range'], null, 'The days, or the range, of why it moved.'),
  },
  seriesQuery,
)

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
      bucket,
      from,
      to,
      asof,
      hidden,
      isWhole: query.range === 'all' && from === null && to === null,
      asTable: query.view === 'table',
      vs: others.kept,
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
  if (others.length < vs.only.length) problems.push('names the symbol of this page')
  if (vs.not.length > 0) problems.push('cannot exclude a symbol')
  if (others.length > OTHERS_MAX) {
    problems.push(`takes at most ${OTHERS_MAX} symbols; the first ${OTHERS_MAX} are drawn`)
  }
  return { kept: others.slice(0, OTHERS_MAX), problems }
}

function isGivenTwice(values: readonly string[], { only, not }: Chosen<string>): boolean {
  const read = only.length + not.length
  return read > 0 && values.flatMap((value) => splitList(value) ?? []).length > read
}

type SeriesBounds = Record<'first' | 'last' | 'now', number>

export const toExtent = ({ first, last, now }: SeriesBounds, asof: number | null) => ({
  extent: { from: first, to: asof === null ? now : Math.min(asof, now) },
  last,
})

export const USUAL_MONTHS = 36

/** Seconds since 1970. `last`: the latest rating. */
type RatedSpan = { extent: Extent; last: number }

export function withUsualRange(view: SeriesView, { extent, last }: RatedSpan): SeriesView {
  if (view.isWhole || view.from !== null || view.to !== null) return view
  const start = toRangeStart({ months: USUAL_MONTHS }, extent.to)
  // If the latest rating is older, the usual range would be a flat line.
  const isShorter = start !== null && start > extent.from && start <= last
  return isShorter ? { ...view, from: start } : view
}

export const toSymbolPageQuery = ({ vs, hidden, ...view }: SeriesView) => ({
  ...view,
  range: view.isWhole && view.from === null && view.to === null ? ('all' as const) : null,
  view: view.asTable ? ('table' as const) : null,
  vs: only(...vs),
  hide: only(...hidden),
  why: view.why === '90' ? null : view.why,
})

export const toSymbolPageParams = (view: SeriesView): URLSearchParams =>
  toParams(symbolPageQuery, toSymbolPageQuery(view))

export const toCompareHref = ([first = '', ...others]: readonly string[], asof: number | null) =>
  toSymbolHref(first, toParams(symbolPageQuery, { asof, vs: only(...others) }))

export type ShownRange = Pick<SeriesView, 'from' | 'to' | 'asof'>

export const ratingsInRange = (symbol: string, { from, to, asof }: ShownRange): RatingsQuery => ({
  ...ratingsOfSymbol(symbol),
  from,
  to,
  asof,
})

/** Converts `[from, to)` to `(from, to]`. A null `to` is the page's instant. */
export function toMovesSpan(
  { why, from, to }: Pick<SeriesView, 'why' | 'from' | 'to'>,
  { extent, at }: { extent: Extent; at: number },
): { from: number; to: number | null } {
  if (why !== 'range') return { from: at - Number(why) * DAY_SECONDS, to: null }
  return { from: (from ?? extent.from + 1) - 1, to: to === null || to > extent.to ? null : to - 1 }
}

const DAY_SECONDS = 86_400

const CHANGES = 3

const UPGRADED = 2
const DOWNGRADED = 3

/** `asof`: seconds since 1970; null is now. */
export const toChangesQuery = (symbol: string, asof: number | null): RatingsQuery => ({
  ...ratingsOfSymbol(symbol),
  action: only(UPGRADED, DOWNGRADED),
  asof,
  per_page: CHANGES,
})
