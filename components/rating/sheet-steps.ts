'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ratingOptions, ratingsOptions } from '#lib/client/query-options.ts'
import type { PageInfo } from '#lib/contract/answers/envelope.ts'
import type { RatingsPage } from '#lib/contract/answers/ratings.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { type RatingsQuery, ratingsQuery } from '#lib/contract/ratings-query.ts'
import { type QueryProps, withPage } from '#lib/contract/ratings-view.ts'

export type Direction = 1 | -1

type UseStepsProps = QueryProps & {
  open: number
  page: RatingsPage | undefined
  isOld: boolean
}

const WAITING: SheetStep = { kind: 'none', why: 'The results are still loading.' }
const UNKNOWN: Steps = { position: null, previous: WAITING, next: WAITING }

const isSame = (a: RatingsQuery, b: RatingsQuery) =>
  toParams(ratingsQuery, a).toString() === toParams(ratingsQuery, b).toString()

export function useSteps({ open, query, change, page, isOld }: UseStepsProps) {
  const client = useQueryClient()
  const [failed, setFailed] = useState(false)
  const turning = useRef<SheetStep | null>(null)
  const steps =
    page === undefined || isOld
      ? UNKNOWN
      : selectSteps({ ids: page.data.map(({ id }) => id), info: page.page, open })
  useAhead(steps, query)

  const turn = async (way: SheetStep & { kind: 'page' }, direction: Direction) => {
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

const toKey = (step: SheetStep) =>
  step.kind === 'rating' ? `r${step.id}` : step.kind === 'page' ? `p${step.number}` : '-'

export type SheetStep =
  | { kind: 'rating'; id: number }
  | { kind: 'page'; number: number }
  | { kind: 'none'; why: string }

type Steps = {
  /** From 1; null if not on this page. */
  position: number | null
  previous: SheetStep
  next: SheetStep
}

type OpenSheet = { ids: readonly number[]; info: PageInfo; open: number }

export function selectSteps({ ids, info, open }: OpenSheet): Steps {
  const index = ids.indexOf(open)
  const first = ids[0]
  if (index < 0) {
    return {
      position: null,
      previous: { kind: 'none', why: 'The open rating is not on this page of the results.' },
      next: first === undefined ? toNone('The results hold no rating.') : toRating(first),
    }
  }
  const [before, after] = [ids[index - 1], ids[index + 1]]
  return {
    position: (info.number - 1) * info.size + index + 1,
    previous:
      before !== undefined
        ? toRating(before)
        : info.number > 1
          ? { kind: 'page', number: info.number - 1 }
          : toNone('This is the first rating of the results.'),
    next:
      after !== undefined
        ? toRating(after)
        : info.number < info.pages
          ? { kind: 'page', number: info.number + 1 }
          : toNone('This is the last rating of the results.'),
  }
}

const toRating = (id: number): SheetStep => ({ kind: 'rating', id })
const toNone = (why: string): SheetStep => ({ kind: 'none', why })

/** New ratings may have shifted the open one onto this page. */
export function selectArrival(
  ids: readonly number[],
  open: number,
  direction: 1 | -1,
): number | null {
  const index = ids.indexOf(open)
  if (index >= 0) return ids[index + direction] ?? open
  return (direction === 1 ? ids[0] : ids.at(-1)) ?? null
}
