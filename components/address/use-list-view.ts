'use client'

import { useCallback, useMemo } from 'react'
import type { Issue } from '#lib/contract/faults.ts'
import type { Parameter } from '#lib/contract/query-parameters.ts'
import {
  type Parameters,
  type QuerySchema,
  readLeniently,
  toParams,
  type ValuesOf,
} from '#lib/contract/query-schema.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { type Selection, splitSelected, withSelected } from './selection.ts'
import { useAddress } from './use-address.ts'

export type ListView<Q> = {
  query: Q
  params: URLSearchParams
  given: URLSearchParams
  ignored: readonly Issue[]
  selection: Selection | null
  hrefFor: (change: Partial<Q>) => string
  change: (change: Partial<Q>, how?: 'push' | 'replace') => void
}

type ViewOptions<P extends Parameters> = {
  /** The query of the API. Default: that of the page. */
  asked?: QuerySchema<P>
  /** How many rows can be selected. */
  most?: number
}

export function useListView<P extends Parameters & { page: Parameter<number> }>(
  path: string,
  schema: QuerySchema<P>,
  { asked = schema, most = 0 }: ViewOptions<P> = {},
): ListView<ValuesOf<P>> {
  const { params: given, write } = useAddress()
  const {
    selected,
    rest,
    ignored: badNames,
  } = useMemo(() => splitSelected(given, most), [given, most])
  const { query, ignored } = useMemo(() => readLeniently(schema, rest), [schema, rest])
  const params = useMemo(() => toParams(asked, query), [asked, query])
  const toChanged = useCallback(
    (changed: Partial<ValuesOf<P>>) =>
      withSelected(toParams(schema, { ...query, page: 1, ...changed }), selected),
    [schema, query, selected],
  )
  const change = useCallback(
    (changed: Partial<ValuesOf<P>>, how?: 'push' | 'replace') => write(toChanged(changed), how),
    [toChanged, write],
  )
  const selection = useMemo(
    () =>
      most === 0
        ? null
        : {
            selected,
            most,
            select: (names: readonly string[]) =>
              write(withSelected(toParams(schema, query), names), 'replace'),
          },
    [schema, query, selected, most, write],
  )
  return {
    query,
    params,
    given,
    selection,
    change,
    ignored: [...badNames, ...ignored],
    hrefFor: (changed) => `${path}${toQueryText(toChanged(changed))}`,
  }
}
