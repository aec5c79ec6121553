import { queryOptions } from '@tanstack/react-query'
import { editionQuestions } from '#lib/contract/operations/editions.ts'
import { askInBrowser, type FetchAnswer } from './fetch-api.ts'
import { answerOptions, BUSY_POLL_MS, CALM_POLL_MS, liveState, toAsked } from './query-options.ts'

export function dumpsOptions(ask: FetchAnswer = askInBrowser) {
  return queryOptions({
    queryKey: ['dumps'],
    queryFn: ({ signal }) => ask(toAsked(editionQuestions.dumps), { signal }),
    refetchInterval: (query) => {
      const { posts, lookups } = query.state.data?.data ?? {}
      const cards = [posts, lookups]
      if (cards.some((dump) => dump?.state === 'fetching')) return BUSY_POLL_MS
      if (liveState.isStanding) return false
      return cards.some((dump) => dump?.edition === null) ? BUSY_POLL_MS : CALM_POLL_MS
    },
  })
}

export const editionsOptions = (ask: FetchAnswer = askInBrowser) =>
  answerOptions(toAsked(editionQuestions.editions), ask)
