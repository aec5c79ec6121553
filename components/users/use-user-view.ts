'use client'

import { useCallback, useMemo } from 'react'
import { toUserHref } from '#components/address/page-address.ts'
import { useAddress } from '#components/address/use-address.ts'
import { readUserView, type UserView, userPageQuery } from '#components/address/user-address.ts'
import { toParams } from '#lib/contract/query-schema.ts'

export type ChangeUserView = (changes: Partial<UserView>) => void

/** `canonicalHref` leaves out ignored parameters. */
export function useUserView(userId: number) {
  const { params, write } = useAddress()
  const { view, ignored } = useMemo(() => readUserView(params), [params])
  const change = useCallback<ChangeUserView>(
    (changes) => write(toParams(userPageQuery, { ...view, ...changes })),
    [view, write],
  )
  const canonicalHref = toUserHref(userId, toParams(userPageQuery, view))
  return { view, change, given: params, ignored, canonicalHref }
}
