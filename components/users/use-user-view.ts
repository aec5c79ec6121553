'use client'

import { useCallback, useMemo } from 'react'
import { toUserHref } from '#components/address/page-address.ts'
import { useZonedAddress } from '#components/address/use-address.ts'
import { readUserView, type UserView, userPageQuery } from '#components/address/user-address.ts'
import { outlookQuery } from '#lib/contract/outlook.ts'
import { toParams } from '#lib/contract/query-schema.ts'

export type ChangeUserView = (changes: Partial<UserView>) => void

/**
 * What the address of a user's page asks for, and the way to change it: each change leaves a step to come back to.
 * `given` is the address as it stands, `canonicalHref` the same without what was ignored.
 */
export function useUserView(userId: number) {
  const { given, params, zone, ignored: badZone, write } = useZonedAddress()
  const { view, ignored } = useMemo(() => readUserView(params), [params])
  const change = useCallback<ChangeUserView>(
    (changes) => write(toParams(userPageQuery, { ...view, ...changes })),
    [view, write],
  )
  const canonicalHref = toUserHref(
    userId,
    toParams(outlookQuery, { tz: zone }, toParams(userPageQuery, view)),
  )
  return { view, change, given, ignored: [...badZone, ...ignored], canonicalHref }
}
