'use client'

import { toUserHref } from '#components/address/page-address.ts'
import { type UserView, userPageQuery } from '#components/address/user-address.ts'
import { useUrlQuery } from '#lib/client/url-query.ts'
import { toParams } from '#lib/contract/query-schema.ts'

export type ChangeUserView = (changes: Partial<UserView>) => void

/** `canonicalHref` leaves out ignored parameters. */
export function useUserView(userId: number) {
  const { query: view, params: given, ignored, setQuery } = useUrlQuery(userPageQuery)
  const change: ChangeUserView = setQuery
  const canonicalHref = toUserHref(userId, toParams(userPageQuery, view))
  return { view, change, given, ignored, canonicalHref }
}
