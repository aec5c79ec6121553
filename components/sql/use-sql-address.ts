import { useCallback, useMemo } from 'react'
import { type SqlQuery, sqlQuery } from '#components/address/sql-address.ts'
import { useZonedAddress } from '#components/address/use-address.ts'
import { outlookQuery } from '#lib/contract/outlook.ts'
import { readLeniently, toParams } from '#lib/contract/query-schema.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'

export type SqlView = ReturnType<typeof useSqlAddress>

/** As `useListView`, which pages of lists load first: shared, it would grow them. */
export function useSqlAddress() {
  const { given, params: asked, zone, ignored: badZone, write } = useZonedAddress()
  const { query, ignored } = useMemo(() => readLeniently(sqlQuery, asked), [asked])
  const toChanged = useCallback(
    (changed: Partial<SqlQuery>) => toParams(sqlQuery, { ...query, page: 1, ...changed }),
    [query],
  )
  return {
    query,
    given,
    ignored: [...badZone, ...ignored],
    change: (changed: Partial<SqlQuery>) => write(toChanged(changed)),
    hrefFor: (changed: Partial<SqlQuery>) =>
      `/sql${toQueryText(toParams(outlookQuery, { tz: zone }, toChanged(changed)))}`,
  }
}
