import { selectChanges } from '#lib/archive/changes/changes.ts'
import { selectWatching } from '#lib/archive/changes/watching.ts'
import type { Changes } from '#lib/contract/answers/changes.ts'
import { changesQuery, noQuery } from '#lib/contract/api-queries.ts'
import type { changeQuestions } from '#lib/contract/operations/ratings.ts'
import { toParams, toQueryText } from '#lib/contract/query-schema.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { editionAt, editionName, nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { toSignedTwoPlaces, toTwoPlaces } from '#lib/statistics/exact.ts'
import type { AnswersTo, ApiDeps, Respond } from './endpoint.ts'
import {
  type Feed,
  type FeedContext,
  type FeedEntry,
  INVENTED,
  sendFeed,
  toFeedId,
} from './feeds.ts'
import { readParameters, toAnswer, toBadRequest, toMeta, toPast } from './respond.ts'

/** Seconds since 1970. */
type Period = { from: number; to: number }

export function toPeriod(asked: Record<keyof Period, number | null>, at: number): Period {
  const wanted = asked.to ?? (asked.from === null ? editionAt(at) : nextEditionAt(asked.from))
  const to = Math.min(wanted, at + 1)
  return { from: asked.from ?? editionAt(to - 1), to }
}

export const changeAnswers: AnswersTo<typeof changeQuestions> = {
  changes: async (deps, { query, signal }) => {
    const at = toPast(query.asof, deps.now())
    const period = toPeriod(query, at)
    if (period.from >= period.to) {
      throw toBadRequest([{ parameter: 'from', message: 'is to come' }])
    }
    const data = await selectChanges(deps.archive.reader, period, { signal })
    return toAnswer(data, { meta: toMeta(deps, at) })
  },

  watching: async (deps, { query, signal }) => {
    const at = deps.now()
    const { symbols, ...held } = await selectWatching(deps.archive.reader, query, { at, signal })
    const named = symbols.map(({ symbol, ...row }) => ({
      symbol,
      name: deps.names.of(symbol),
      ...row,
    }))
    return toAnswer({ symbols: named, ...held }, { meta: toMeta(deps, at) })
  },
}

const WEEKS = 4

export const respondChangesFeed: Respond = async (deps, { request, sender, params }) => {
  readParameters(noQuery, params)
  const end = editionAt(deps.now())
  return await sendFeed(
    deps,
    { request, sender },
    {
      own: '/api/changes.atom',
      mark: `${end}`,
      load: async (place) => await loadWeeks(deps, end, place),
    },
  )
}

async function loadWeeks(deps: ApiDeps, end: number, place: FeedContext): Promise<Feed> {
  const { address: service, invented } = deps.upstream.service
  const entries: FeedEntry[] = []
  for (let to = end; entries.length < WEEKS; ) {
    const from = editionAt(to - 1)
    const changes = await selectChanges(deps.archive.reader, { from, to }, place)
    if (changes.ratings === 0 && changes.active_from === 0) break
    entries.push(toWeekEntry(changes, { ...place, service }))
    to = from
  }
  const self = place.toFeedAddress(new URLSearchParams())
  return {
    id: toFeedId(service, 'changes'),
    title: 'What changed, week by week',
    subtitle: `What was posted in each whole week, and which consensus moved most.${invented ? INVENTED : ''}`,
    self,
    first: self,
    next: null,
    previous: null,
    page: place.toAddress('/changes'),
    entries,
  }
}

type FeedNaming = Pick<FeedContext, 'toAddress'> & { service: string }

function toWeekEntry(changes: Changes, { service, toAddress }: FeedNaming): FeedEntry {
  const { from, to } = changes
  const week = editionName(from)
  return {
    id: toFeedId(service, 'week', week),
    title: `The week from ${week}: ${changes.ratings} ratings`,
    text: toWeekText(changes),
    address: toAddress(`/changes${toQueryText(toParams(changesQuery, { from, to }))}`),
    at: to,
    author: null,
    tags: changes.moves.map(({ symbol }) => toVisibleText(symbol)),
  }
}

const MOVES_TOLD = 5

function toWeekText({ ratings, users, symbols, moves, minds }: Changes): string {
  const posted = `${ratings} ratings were posted by ${users} users on ${symbols} symbols.`
  const told = moves
    .slice(0, MOVES_TOLD)
    .map(({ symbol, consensus_from, consensus_to, change }) => {
      const [before, after] = [toTwoPlaces(consensus_from ?? '0'), toTwoPlaces(consensus_to ?? '0')]
      return `${toVisibleText(symbol)} ${before} → ${after} (${toSignedTwoPlaces(change ?? '0')})`
    })
  const moved = told.length === 0 ? 'No consensus moved.' : `Largest moves: ${told.join(', ')}.`
  const [turned] = minds
  const mind =
    turned === undefined
      ? []
      : [
          `The largest change of mind: user ${turned.user_id} on ${toVisibleText(turned.symbol)}, from ${turned.before} to ${turned.rating}.`,
        ]
  return [posted, moved, ...mind].join(' ')
}
