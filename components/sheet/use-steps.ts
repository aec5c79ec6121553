'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type QueryProps, withPage } from '#components/ratings/query-change.ts'
import { ratingOptions, ratingsOptions } from '#lib/client/query-options.ts'
import type { RatingsPage } from '#lib/contract/answers/ratings.ts'
import { type RatingsQuery, toSearchParams } from '#lib/contract/ratings-query.ts'
import { type Steps, selectArrival, selectSteps, type Way } from './select-steps.ts'

export type Direction = 1 | -1

type UseStepsProps = QueryProps & {
  open: number
  page: RatingsPage | undefined
  /** The rows are those of an earlier query: where they lead is not known yet. */
  isOld: boolean
}

const WAITING: Way = { kind: 'none', why: 'The result is still loading.' }
const UNKNOWN: Steps = { position: null, previous: WAITING, next: WAITING }

/** The same rows of the same page? */
const isSame = (a: RatingsQuery, b: RatingsQuery) =>
  toSearchParams(a).toString() === toSearchParams(b).toString()

/** The steps to the ratings before and after the open one, across pages; those nearest are asked for ahead. */
export function useSteps({ open, query, change, page, isOld }: UseStepsProps) {
  const client = useQueryClient()
  const [failed, setFailed] = useState(false)
  const turning = useRef<Way | null>(null)
  const steps =
    page === undefined || isOld
      ? UNKNOWN
      : selectSteps({ ids: page.data.map(({ id }) => id), info: page.page, open })
  useAhead(steps, query)

  const turn = async (way: Way & { kind: 'page' }, direction: Direction) => {
    if (turning.current) return
    turning.current = way
    const next = withPage(query, way.number)
    try {
      const { data } = await client.fetchQuery(ratingsOptions(next))
      const id = selectArrival(
        data.map((row) => row.id),
        open,
        direction,
      )
      setFailed(false)
      // Who went elsewhere meanwhile is left there.
      change(
        (view) =>
          isSame(view, query) && view.open === open
            ? { ...withPage(view, way.number), open: id ?? open }
            : view,
        'replace',
      )
    } catch {
      setFailed(true)
    } finally {
      turning.current = null
    }
  }

  const go = (direction: Direction) => {
    const way = direction === 1 ? steps.next : steps.previous
    if (way.kind === 'page') void turn(way, direction)
    if (way.kind === 'rating') {
      setFailed(false)
      change((view) => ({ ...view, open: way.id }), 'replace')
    }
  }

  return { ...steps, total: page?.page.total ?? null, failed, go }
}

/** Asks for what a step leads to before it is taken: the rating, or the page that it turns to. */
function useAhead({ previous, next }: Steps, query: RatingsQuery) {
  const client = useQueryClient()
  const ahead = [next, previous].map(toKey).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ways are made anew each time, the key says what they are
  useEffect(() => {
    for (const way of [next, previous]) {
      if (way.kind === 'rating') void client.prefetchQuery(ratingOptions(way.id, query.asof))
      if (way.kind === 'page')
        void client.prefetchQuery(ratingsOptions(withPage(query, way.number)))
    }
  }, [ahead, client, query.asof])
}

const toKey = (way: Way) =>
  way.kind === 'rating' ? `r${way.id}` : way.kind === 'page' ? `p${way.number}` : '-'
