import * as z from 'zod/mini'
import { changes } from '#lib/contract/answers/changes.ts'
import { type RatingRow, ratingRow } from '#lib/contract/answers/ratings.ts'
import { track } from '#lib/contract/answers/track.ts'
import { user } from '#lib/contract/answers/users.ts'
import { asofQuery, changesQuery, trackQuery } from '#lib/contract/api-queries.ts'
import { userPart } from '#lib/contract/operations/operation.ts'
import { changeQuestions, ratingQuestions } from '#lib/contract/operations/ratings.ts'
import { userQuestions } from '#lib/contract/operations/users.ts'
import { parameter } from '#lib/contract/query-parameters.ts'
import { querySchema, toParams, toQueryText } from '#lib/contract/query-schema.ts'
import { predictionText } from '#lib/contract/rating-fields.ts'
import { ratingsQuery } from '#lib/contract/ratings-query.ts'
import { defineTool } from './define-tool.ts'
import { toChange, toCount, toDay, toFigure, toQuoted, toShare } from './plain-answer.ts'

const ROWS_MAX = 100
const ROWS = 20

export const searchRatings = defineTool({
  name: 'search_ratings',
  title: 'Search ratings',
  description:
    'Finds single ratings: who rated which symbol when, with label, prediction and state. Newest first unless `sort` says otherwise. Use it for questions about particular ratings or to count ratings (`n`). Without arguments it returns the newest ratings.',
  parts: {},
  query: querySchema(
    {
      ...ratingsQuery.parameters,
      per_page: parameter.count(ROWS_MAX, ROWS, 'Rows per page.', '10'),
    },
    ratingsQuery,
  ),
  rule: 'n counts all ratings that match, not only the rows of this page.',
  data: z.object({
    page: z.int(),
    pages: z.int(),
    ratings: z.array(z.omit(ratingRow, { created_at_date: true, expired_at_date: true })),
  }),
  async answer({ query, ask }) {
    const params = toParams(ratingsQuery, query)
    const answer = await ask({ question: ratingQuestions.ratings, parts: {}, params })
    const { number, pages, total } = answer.page
    return {
      data: { page: number, pages, ratings: answer.data },
      n: total,
      meta: answer.meta,
      link: `/${toQueryText(params)}`,
      lines: [
        `${toCount(total, 'rating')} of ${answer.meta.all.toLocaleString('en-US')} match. Page ${number} of ${pages}:`,
        ...answer.data.map(toLine),
      ],
    }
  },
})

const ENDED = { expired: 'expired', renewed: 'replaced', vanished: 'no longer listed' } as const

function toLine(row: RatingRow): string {
  const before = row.previous_rating === null ? '' : `, previously ${row.previous_rating}`
  const state = row.ended === null ? (row.state ?? 'not posted yet') : ENDED[row.ended]
  return [
    `- ${toDay(row.created_at)}`,
    toQuoted(row.symbol),
    `user ${row.user_id}:`,
    `${toQuoted(row.rating_label)} (${row.rating}${before}),`,
    `prediction ${predictionText(row.prediction)},`,
    `${state}, id ${row.id}`,
  ].join(' ')
}

export const whatChanged = defineTool({
  name: 'what_changed',
  title: 'What changed',
  description:
    'What a period brought to the whole community: how many ratings, the largest moves of consensus with their causes, changes of mind, expiring and contested symbols. The last week unless `from` and `to` are given.',
  parts: {},
  query: changesQuery,
  rule: 'n counts the ratings posted in the period. Lists have at most ten lines; moves need 3 active ratings at both ends and sort by size, less for few ratings.',
  data: changes,
  async answer({ query, ask }) {
    const params = toParams(changesQuery, query)
    const { data, meta } = await ask({ question: changeQuestions.changes, parts: {}, params })
    const moved = data.moves.map(
      (move) =>
        `- ${toQuoted(move.symbol)}: ${toFigure(move.consensus_from)} to ${toFigure(move.consensus_to)} (${toChange(move.change)}), ${move.active_from} to ${move.active_to} active`,
    )
    const minds = data.minds.map(
      (mind) =>
        `- user ${mind.user_id} on ${toQuoted(mind.symbol)}: ${mind.before} to ${mind.rating}, ${toDay(mind.created_at)}`,
    )
    const lapsing = data.lapsing.map(
      (one) =>
        `- ${toQuoted(one.symbol)}: ${one.lapsing} of ${one.active} expire; consensus ${toFigure(one.consensus)}, without them ${toFigure(one.left)}`,
    )
    return {
      data,
      n: data.ratings,
      meta,
      link: `/changes${toQueryText(params)}`,
      lines: [
        `${toDay(data.from)} to ${toDay(data.to)} (end exclusive): ${toCount(data.ratings, 'rating')} by ${toCount(data.users, 'user')} on ${toCount(data.symbols, 'symbol')}; active ratings ${data.active_from} to ${data.active_to}.`,
        ...toSection('Largest moves of the consensus', moved),
        ...toSection('Changes of mind', minds),
        ...toSection(`Expiring by ${toDay(data.lapsing_by)}`, lapsing),
      ],
    }
  },
})

const toSection = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [`${heading}:`, ...lines]

const SYMBOLS_MAX = 20

export const summarizeUser = defineTool({
  name: 'summarize_user',
  title: 'Summarize a user',
  description: `One user by number: how much and what the user rates (the ${SYMBOLS_MAX} symbols rated last) and, where prices are known, how calls turned out at a horizon.`,
  parts: { id: userPart },
  query: trackQuery,
  rule: 'n counts the ratings of the user. A call is a rating scored against later prices; overlapping calls on a symbol count once, as a cluster. hit_low and hit_high are a 95% interval: if it contains 0.5, the user cannot be told from a coin. Without prices the track has no figures.',
  data: z.object({ user, track }),
  async answer({ id, query, ask }) {
    const parts = { id: String(id) }
    const asof = toParams(asofQuery, query)
    const params = toParams(trackQuery, query)
    const [found, judged] = await Promise.all([
      ask({ question: userQuestions.user, parts, params: asof }),
      ask({ question: userQuestions.track, parts, params }),
    ])
    const { by_symbol: symbols, ...data } = found.data
    const shown = symbols.slice(0, SYMBOLS_MAX)
    const { clusters, hit_rate, hit_low, hit_high, horizon, rank, ranked } = judged.data
    const verdict =
      clusters === 0
        ? `No call is scored at ${horizon} days.`
        : `Calls at ${horizon} days: right in ${toShare(hit_rate)} of ${toCount(clusters, 'cluster')} (${toShare(hit_low)} to ${toShare(hit_high)})${rank === null ? '' : `, rank ${rank} of ${ranked}`}.`
    return {
      data: { user: { ...data, by_symbol: shown }, track: judged.data },
      n: data.ratings,
      meta: found.meta,
      link: `/users/${id}${toQueryText(params)}`,
      lines: [
        `User ${data.user_id}: ${toCount(data.ratings, 'rating')} on ${toCount(data.symbols, 'symbol')}, ${data.active} active, from ${toDay(data.first_created_at)} to ${toDay(data.last_created_at)}.`,
        verdict,
        `The ${shown.length} symbols rated last, of ${symbols.length}:`,
        ...shown.map(
          (one) =>
            `- ${toQuoted(one.symbol)}: ${toQuoted(one.rating_label)} (${one.rating}), ${one.state ?? 'not posted yet'}, ${toDay(one.last_created_at)}`,
        ),
      ],
    }
  },
})
