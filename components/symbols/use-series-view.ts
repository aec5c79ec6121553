'use client'

import { useCallback, useMemo } from 'react'
import { useZonedAddress } from '#components/address/use-address.ts'
import { withZone } from '#lib/contract/outlook.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'
import { readSeriesView, type SeriesView, toViewParams } from './series-address.ts'
import { toSymbolHref } from './symbol-address.ts'

/**
 * What the address of a symbol's page asks for, and the way to change it: each change leaves a step to come back to.
 * `given` is the address as it stands, `canonicalHref` the same without what was ignored.
 */
export function useSeriesView(symbol: string) {
  const { given, params, zone, ignored: badZone, write } = useZonedAddress()
  const { view, ignored } = useMemo(() => readSeriesView(params, symbol), [params, symbol])
  const change = useCallback(
    (changes: Partial<SeriesView>) => write(toViewParams({ ...view, ...changes })),
    [view, write],
  )
  const canonicalHref = `${toSymbolHref(symbol)}${toQueryText(withZone(toViewParams(view), zone))}`
  return { view, change, given, ignored: [...badZone, ...ignored], canonicalHref }
}
