import * as z from 'zod/mini'
import { track } from '#lib/contract/answers/track.ts'
import { user } from '#lib/contract/answers/users.ts'
import { asofQuery, trackQuery } from '#lib/contract/api-queries.ts'
import { userPart } from '#lib/contract/operations/parts.ts'
import { userQuestions } from '#lib/contract/operations/users.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { defineTool } from './define-tool.ts'
import { toCount, toDay, toQuoted, toShare } from './words.ts'

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
