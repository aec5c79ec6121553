'use client'

import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useStored } from '#components/store/store.ts'
import { statusSummaryOptions } from '#lib/client/query-options.ts'
import { watchingOptions } from '#lib/client/symbol-options.ts'
import type { WatchingAnswer } from '#lib/contract/answers/changes.ts'
import { toViewTexts, toWatchedLines, toWatchingParams } from './watched-lines.ts'

/** `inBackground`: polls in hidden tabs if events are unavailable. */
export function useWatching({ inBackground = false } = {}) {
  const stars = useStored((stored) => stored.stars)
  const views = useStored((stored) => stored.views)
  const status = useQuery({
    ...statusSummaryOptions(),
    refetchIntervalInBackground: inBackground,
  }).data
  const generation = status?.archive.generation ?? 0
  const asked = useMemo(() => toWatchingParams(stars, toViewTexts(views)), [stars, views])
  const { answers, error, refetch } = useQueries({
    queries: asked.map((params) => watchingOptions(params, generation)),
    combine,
  })
  const lines = useMemo(() => toWatchedLines(stars, { views, answers }), [stars, views, answers])
  return { lines, error, refetch }
}

const isThere = <T>(value: T | undefined): value is T => value !== undefined

function combine(results: UseQueryResult<WatchingAnswer>[]) {
  return {
    answers: results.map(({ data }) => data).filter(isThere),
    error: results.find(({ error, data }) => error !== null && data === undefined)?.error ?? null,
    refetch: () => {
      for (const result of results) void result.refetch()
    },
  }
}
