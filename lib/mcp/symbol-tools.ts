import * as z from 'zod/mini'
import { comparison, opinion, series, seriesPoint } from '#lib/contract/answers/opinion.ts'
import { aggregate, moves } from '#lib/contract/answers/symbols.ts'
import {
  asofQuery,
  BUCKETS,
  compareQuery,
  movesQuery,
  type SeriesQuery,
  seriesQuery,
} from '#lib/contract/api-queries.ts'
import { moveLabel } from '#lib/contract/moves.ts'
import { symbolPart } from '#lib/contract/operations/operation.ts'
import { symbolQuestions } from '#lib/contract/operations/symbols.ts'
import { toPathPart } from '#lib/contract/path-part.ts'
import { parameter } from '#lib/contract/query-parameters.ts'
import { querySchema, toParams, toQueryText } from '#lib/contract/query-schema.ts'
import { only, toListText } from '#lib/contract/value-list.ts'
import { defineTool } from './define-tool.ts'
import { toChange, toCount, toDay, toFigure, toPercent, toQuoted } from './plain-answer.ts'

const toPage = (symbol: string, params: URLSearchParams): string =>
  `/symbols/${toPathPart(symbol)}${toQueryText(params)}`

const CONSENSUS =
  'The consensus is the mean of the active ratings, 1 (Strong Sell) to 5 (Strong Buy); one user counts once per symbol.'

export const summarizeSymbol = defineTool({
  name: 'summarize_symbol',
  title: 'Summarize a symbol',
  description:
    'What the community thinks of one symbol now, or at `asof`: consensus with its interval, predictions, labels, changes over 7, 30 and 90 days with their causes, and what expires soon. Start here for any question about a symbol.',
  parts: { symbol: symbolPart },
  query: asofQuery,
  rule: `n counts active ratings. ${CONSENSUS} consensus_low and consensus_high bound it; below 3 active ratings it says little. Predictions are expected price moves in percent.`,
  data: z.extend(z.omit(opinion, { causes: true, pending: true }), {
    name: aggregate.shape.name,
  }),
  async answer({ symbol, query, ask }) {
    const params = toParams(asofQuery, query)
    const parts = { symbol }
    const [{ data, meta }, named] = await Promise.all([
      ask({ question: symbolQuestions.opinion, parts, params }),
      ask({ question: symbolQuestions.symbol, parts, params: new URLSearchParams() }),
    ])
    const { name } = named.data
    const { prediction } = data
    return {
      data: { ...data, name },
      n: data.active,
      meta,
      link: toPage(data.symbol, params),
      lines: [
        `${toQuoted(data.symbol)}${name === null ? '' : `, ${toQuoted(name)}`}: consensus ${toFigure(data.consensus)} of 5 (bounds ${toFigure(data.consensus_low)} and ${toFigure(data.consensus_high)}) from ${toCount(data.active, 'active rating')}; ${toCount(data.ratings, 'rating')} by ${toCount(data.users, 'user')} since ${toDay(data.first_created_at)}, the last on ${toDay(data.last_created_at)}.`,
        `Prediction: median ${toPercent(prediction.median)}, middle half ${toPercent(prediction.q1)} to ${toPercent(prediction.q3)}.`,
        `Labels: ${data.by_rating.map(({ label, count }) => `${toQuoted(label)} ${count}`).join(', ')}.`,
        ...data.changes.map(
          ({ days, change, active, consensus }) =>
            `${days} days: ${toChange(change)}, from ${toFigure(consensus)} (${active} active).`,
        ),
        ...data.cliff.map(
          ({ days, lapsing, consensus }) =>
            `Within ${days} days ${lapsing} expire; the rest has a consensus of ${toFigure(consensus)}.`,
        ),
      ],
    }
  },
})

const POINTS_MAX = 160
const POINTS_READ = 24

const HISTORY = {
  ...seriesQuery.parameters,
  bucket: parameter.choice(BUCKETS, 'month', 'Bucket length.'),
}

export const symbolHistory = defineTool({
  name: 'symbol_history',
  title: 'History of a symbol',
  description: `How consensus, predictions and the number of ratings of one symbol developed, in buckets of a day, week or month. Returns the newest ${POINTS_MAX} buckets of the period; choose \`from\` and \`to\` for others.`,
  parts: { symbol: symbolPart },
  query: querySchema(HISTORY, { refuse: seriesQuery.refuse }),
  rule: `n counts ratings posted in the period. ${CONSENSUS} active and consensus describe the end of a bucket, the other counts the bucket.`,
  data: z.extend(z.pick(series, { symbol: true, bucket: true, posted: true }), {
    buckets: z.int(),
    points: z.array(
      z.pick(seriesPoint, {
        t: true,
        posted: true,
        upgraded: true,
        downgraded: true,
        lapsed: true,
        active: true,
        consensus: true,
        active_prediction: true,
        prediction_median: true,
      }),
    ),
  }),
  async answer({ symbol, query, ask }) {
    const params = toParams(seriesQuery, query)
    const answer = await ask({ question: symbolQuestions.series, parts: { symbol }, params })
    const { points, ...data } = answer.data
    const read = points.slice(-POINTS_READ)
    return {
      data: { ...data, buckets: points.length, points: points.slice(-POINTS_MAX) },
      n: data.posted,
      meta: answer.meta,
      link: toPage(data.symbol, withWhole(query)),
      lines: [
        `${toQuoted(data.symbol)}: ${toCount(data.posted, 'rating')} posted in ${toCount(points.length, data.bucket)}; the newest ${read.length}:`,
        ...read.map(
          (point) =>
            `- ${toDay(point.t)}: consensus ${toFigure(point.consensus)}, ${point.active} active, ${point.posted} posted, mean prediction ${toPercent(point.active_prediction)}`,
        ),
      ],
    }
  },
})

/** A page without a period shows the last years only. */
function withWhole(query: SeriesQuery): URLSearchParams {
  const params = toParams(seriesQuery, query)
  if (query.from === null && query.to === null) params.set('range', 'all')
  return params
}

export const whyItMoved = defineTool({
  name: 'why_it_moved',
  title: 'Why a consensus moved',
  description:
    'Explains the change of one symbol’s consensus between two instants: new, returning, raised, lowered, repeated, expired and removed ratings, each with its part of the change. The last 90 days unless `from` and `to` are given.',
  parts: { symbol: symbolPart },
  query: movesQuery,
  rule: 'n counts active ratings at the end. Events are replayed in time order; the parts add up exactly to the change. They describe what happened, not why people changed their minds.',
  data: moves,
  async answer({ symbol, query, ask }) {
    const params = toParams(movesQuery, query)
    const answer = await ask({ question: symbolQuestions.moves, parts: { symbol }, params })
    const { data } = answer
    return {
      data,
      n: data.active_to,
      meta: answer.meta,
      link: toWhyLink(data, query),
      lines: [
        `${toQuoted(data.symbol)}, ${toDay(data.from)} to ${toDay(data.to)}: consensus ${toFigure(data.consensus_from)} to ${toFigure(data.consensus_to)} (${toChange(data.change)}), ${data.active_from} to ${data.active_to} active; mean prediction ${toPercent(data.prediction_from)} to ${toPercent(data.prediction_to)}.`,
        ...data.parts
          .filter(({ events }) => events > 0)
          .map(
            ({ kind, events, change }) =>
              `- ${moveLabel(kind)}: ${toCount(events, 'event')}, ${toChange(change)}`,
          ),
      ],
    }
  },
})

type Span = { from: number | null; to: number | null; asof: number | null }

/** Moves are of `(from, to]`, the page's range is `[from, to)`. */
function toWhyLink(data: { symbol: string; from: number; to: number }, asked: Span): string {
  const { asof } = asked
  if (asked.from === null && asked.to === null) {
    return `${toPage(data.symbol, toParams(asofQuery, { asof }))}#why`
  }
  const params = toParams(seriesQuery, { from: data.from + 1, to: data.to + 1, asof })
  params.set('why', 'range')
  return `${toPage(data.symbol, params)}#why`
}

const COMPARED_POINTS_MAX = 60

export const compareSymbols = defineTool({
  name: 'compare_symbols',
  title: 'Compare symbols',
  description: `The consensus of up to six symbols in the same buckets, side by side. Returns the newest ${COMPARED_POINTS_MAX} buckets. Symbols without ratings are listed as unknown.`,
  parts: {},
  query: querySchema(
    { ...compareQuery.parameters, bucket: HISTORY.bucket },
    { refuse: compareQuery.refuse },
  ),
  rule: `n counts the active ratings of all of them at the end. ${CONSENSUS}`,
  data: comparison,
  async answer({ query, ask }) {
    const params = toParams(compareQuery, query)
    const answer = await ask({ question: symbolQuestions.comparison, parts: {}, params })
    const symbols = answer.data.symbols.map(({ points, ...one }) => ({
      ...one,
      points: points.slice(-COMPARED_POINTS_MAX),
    }))
    return {
      data: { ...answer.data, symbols },
      n: symbols.reduce((sum, { points }) => sum + (points.at(-1)?.active ?? 0), 0),
      meta: answer.meta,
      link: toCompareLink(query),
      lines: [
        `Consensus at the end of each ${answer.data.bucket}:`,
        ...symbols.map(toComparedLine),
        ...answer.data.unknown.map((symbol) => `- ${toQuoted(symbol)}: no ratings`),
      ],
    }
  },
})

type Compared = z.output<typeof comparison>['symbols'][number]

function toComparedLine({ symbol, points }: Compared): string {
  const [first, last] = [points.at(0), points.at(-1)]
  if (first === undefined || last === undefined) return `- ${toQuoted(symbol)}: no points`
  return `- ${toQuoted(symbol)}: ${toFigure(last.consensus)} (${last.active} active, mean prediction ${toPercent(last.active_prediction)}); ${toFigure(first.consensus)} at ${toDay(first.t)} (${first.active} active)`
}

function toCompareLink(query: SeriesQuery & { symbol: { only: readonly string[] } }): string {
  const [first = '', ...others] = query.symbol.only
  const params = withWhole(query)
  if (others.length > 0) params.set('vs', toListText(only(...others), false))
  return toPage(first, params)
}
