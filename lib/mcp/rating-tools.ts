import * as z from 'zod/mini'
import { changes } from '#lib/contract/answers/changes.ts'
import { type RatingRow, ratingRow } from '#lib/contract/answers/ratings.ts'
import { changesQuery } from '#lib/contract/api-queries.ts'
import { changeQuestions } from '#lib/contract/operations/changes.ts'
import { ratingQuestions } from '#lib/contract/operations/ratings.ts'
import { parameter } from '#lib/contract/query-parameters.ts'
import { querySchema, toParams } from '#lib/contract/query-schema.ts'
import { predictionText } from '#lib/contract/rating-fields.ts'
import { ratingsQuery, toQueryText } from '#lib/contract/ratings-query.ts'
import { defineTool } from './define-tool.ts'
import { toChange, toCount, toDay, toFigure, toQuoted } from './words.ts'

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
