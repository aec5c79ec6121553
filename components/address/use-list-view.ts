'use client'

import { useCallback, useMemo } from 'react'
import type { Issue } from '#lib/contract/faults.ts'
import { outlookQuery } from '#lib/contract/outlook.ts'
import type { Parameter } from '#lib/contract/query-parameters.ts'
import {
  type Parameters,
  type QuerySchema,
  readLeniently,
  toParams,
  type ValuesOf,
} from '#lib/contract/query-schema.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { useZonedAddress } from './use-address.ts'

export type ListView<Q> = {
  query: Q
  params: URLSearchParams
  zone: string
  given: URLSearchParams
  ignored: readonly Issue[]
  hrefFor: (change: Partial<Q>) => string
  change: (change: Partial<Q>) => void
}

export function useListView<P extends Parameters & { page: Parameter<number> }>(
  path: string,
  schema: QuerySchema<P>,
): ListView<ValuesOf<P>> {
  const { given, params: asked, zone, ignored: badZone, write } = useZonedAddress()
  const { query, ignored } = useMemo(() => readLeniently(schema, asked), [schema, asked])
  const params = useMemo(() => toParams(schema, query), [schema, query])
  const toChanged = useCallback(
    (changed: Partial<ValuesOf<P>>) => toParams(schema, { ...query, page: 1, ...changed }),
    [schema, query],
  )
  const change = useCallback(
    (changed: Partial<ValuesOf<P>>) => write(toChanged(changed)),
    [toChanged, write],
  )
  const toHref = (next: URLSearchParams) =>
    `${path}${toQueryText(toParams(outlookQuery, { tz: zone }, next))}`
  return {
    query,
    params,
    zone,
    given,
    change,
    ignored: [...badZone, ...ignored],
    hrefFor: (changed) => toHref(toChanged(changed)),
  }
}
