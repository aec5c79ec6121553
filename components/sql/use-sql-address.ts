import { useCallback, useMemo } from 'react'
import { type SqlQuery, sqlQuery } from '#components/address/sql-address.ts'
import { useAddress } from '#components/address/use-address.ts'
import { readLeniently, toParams } from '#lib/contract/query-schema.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'

export type SqlView = ReturnType<typeof useSqlAddress>

/** As `useListView`, which pages of lists load first: shared, it would grow them. */
export function useSqlAddress() {
  const { params: given, write } = useAddress()
  const { query, ignored } = useMemo(() => readLeniently(sqlQuery, given), [given])
  const toChanged = useCallback(
    (changed: Partial<SqlQuery>) => toParams(sqlQuery, { ...query, page: 1, ...changed }),
    [query],
  )
  return {
    query,
    given,
    ignored,
    change: (changed: Partial<SqlQuery>) => write(toChanged(changed)),
    hrefFor: (changed: Partial<SqlQuery>) => `/sql${toQueryText(toChanged(changed))}`,
  }
}
