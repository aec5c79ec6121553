import * as z from 'zod/mini'
import {
  type AccountsAnswer,
  accountsAnswer,
  type MeAnswer,
  meAnswer,
  type NewTokenAnswer,
  newTokenAnswer,
} from '#lib/contract/answers/access.ts'
import {
  type AlertsAnswer,
  alertsAnswer,
  type TriedAnswer,
  triedAnswer,
} from '#lib/contract/answers/alerts.ts'
import { attentionOverviewAnswer } from '#lib/contract/answers/attention.ts'
import { changesAnswer } from '#lib/contract/answers/changes.ts'
import {
  differenceFacetsAnswer,
  differencesPage,
} from '#lib/contract/answers/edition-differences.ts'
import { envelope, failure } from '#lib/contract/answers/envelope.ts'
import { attentionAnswer, lookupFacetsAnswer, lookupsPage } from '#lib/contract/answers/lookups.ts'
import { movesAnswer } from '#lib/contract/answers/moves.ts'
import { compareAnswer, opinionAnswer, seriesAnswer } from '#lib/contract/answers/opinion.ts'
import { followedAnswer, pricesAnswer } from '#lib/contract/answers/prices.ts'
import type { Answers } from '#lib/contract/answers/questions.ts'
import { facetsAnswer, ratingAnswer, ratingsPage } from '#lib/contract/answers/ratings.ts'
import {
  dumpsAnswer,
  editionsAnswer,
  quarantinePage,
  statusAnswer,
} from '#lib/contract/answers/status.ts'
import { aggregateAnswer, overviewAnswer, symbolsPage } from '#lib/contract/answers/symbols.ts'
import { callsPage, communityRecordAnswer, trackAnswer } from '#lib/contract/answers/track.ts'
import {
  recordAnswer,
  userAnswer,
  userRatingsAnswer,
  usersPage,
} from '#lib/contract/answers/users.ts'
import { watchingAnswer } from '#lib/contract/answers/watching.ts'
import { ApiError } from './api-error.ts'

/** An answer of one kind, or null where what came is none. */
const parserOf =
  <S extends z.ZodMiniType>(schema: S) =>
  (body: unknown): z.output<S> | null => {
    const parsed = schema.safeParse(body)
    return parsed.success ? parsed.data : null
  }

/** What our API answers, by kind. Loaded with the first answer that is asked for: a first paint needs none of it. */
const PARSERS: { readonly [K in keyof ParsedAnswers]: (body: unknown) => ParsedAnswers[K] | null } =
  {
    ratings: parserOf(ratingsPage),
    rating: parserOf(ratingAnswer),
    facets: parserOf(facetsAnswer),
    symbols: parserOf(symbolsPage),
    symbol: parserOf(aggregateAnswer),
    opinion: parserOf(opinionAnswer),
    series: parserOf(seriesAnswer),
    moves: parserOf(movesAnswer),
    changes: parserOf(changesAnswer),
    prices: parserOf(pricesAnswer),
    followed: parserOf(followedAnswer),
    comparison: parserOf(compareAnswer),
    overview: parserOf(overviewAnswer),
    users: parserOf(usersPage),
    user: parserOf(userAnswer),
    calls: parserOf(userRatingsAnswer),
    record: parserOf(recordAnswer),
    track: parserOf(trackAnswer),
    community: parserOf(communityRecordAnswer),
    scoredCalls: parserOf(callsPage),
    lookups: parserOf(lookupsPage),
    lookupFacets: parserOf(lookupFacetsAnswer),
    attention: parserOf(attentionAnswer),
    attentionOverview: parserOf(attentionOverviewAnswer),
    status: parserOf(statusAnswer),
    dumps: parserOf(dumpsAnswer),
    editions: parserOf(editionsAnswer),
    differences: parserOf(differencesPage),
    differenceFacets: parserOf(differenceFacetsAnswer),
    quarantine: parserOf(quarantinePage),
    watching: parserOf(watchingAnswer),
    me: parserOf(meAnswer),
    accounts: parserOf(accountsAnswer),
    newToken: parserOf(newTokenAnswer),
    alerts: parserOf(alertsAnswer),
    tried: parserOf(triedAnswer),
    accepted: parserOf(envelope(z.unknown(), {})),
  }

export type ParsedAnswers = Answers & {
  me: MeAnswer
  accounts: AccountsAnswer
  newToken: NewTokenAnswer
  alerts: AlertsAnswer
  tried: TriedAnswer
  accepted: { success: true; code: number; data: unknown }
}

/** An answer as its kind has it. Throws ApiError where it is none. */
export function parseAnswer<K extends keyof ParsedAnswers>(
  kind: K,
  body: unknown,
): ParsedAnswers[K] {
  const answer = PARSERS[kind](body)
  if (answer !== null) return answer
  throw new ApiError('internal', 502, 'The dashboard did not understand its own answer.', [])
}

/** What an answer said that is no success; `body` is what came with it, parsed where it could be. */
export function toApiError({ status, headers }: Response, body: unknown): ApiError {
  const wait = parseWait(headers.get('retry-after'))
  const refused = failure.safeParse(body)
  if (!refused.success) {
    // Something before the dashboard has answered: a proxy, a captive portal.
    const message = `The dashboard answered with error ${status}.`
    return new ApiError('internal', status, message, [], wait)
  }
  const { type, message, issues } = refused.data.error
  return new ApiError(type, status, message, issues ?? [], wait)
}

/** Our own API says it in whole seconds; a date is for programs that wait longer than a reader does. */
const parseWait = (text: string | null): number | null =>
  text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null
