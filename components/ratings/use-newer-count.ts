'use client'

import { useQuery } from '@tanstack/react-query'
import { ratingsOptions } from '#lib/client/query-options.ts'
import type { RatingsPage } from '#lib/contract/answers/ratings.ts'
import type { StatusSummary } from '#lib/contract/answers/status.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { type RatingsQuery, ratingsQuery } from '#lib/contract/ratings-query.ts'

type Newer = {
  archive: StatusSummary['archive'] | undefined
  page: RatingsPage | undefined
  isAsked: boolean
}

/** 0 while counting; null if ratings changed but none is new. */
export function useNewerCount(query: RatingsQuery, { archive, page, isAsked }: Newer) {
  const more = (archive?.ratings ?? 0) - (page?.meta.all ?? 0)
  const isFiltered = page !== undefined && page.page.total !== page.meta.all
  const text = toParams(ratingsQuery, { ...query, page: 1, per_page: 1 }).toString()
  const { data: total } = useQuery({
    queryKey: ['newer', text, archive?.generation],
    queryFn: async ({ client }) => {
      const newest = ratingsOptions({ ...query, page: 1, per_page: 1 })
      return (await client.fetchQuery({ ...newest, staleTime: 0 })).page.total
    },
    enabled: isAsked && isFiltered && more > 0,
    placeholderData: (last, of) => (of?.queryKey[1] === text ? last : undefined),
  })
  if (more <= 0 || page === undefined) return null
  return isFiltered ? Math.max(0, (total ?? 0) - page.page.total) : more
}
