'use client'

import { useQuery } from '@tanstack/react-query'
import { useFormats } from '#components/format/use-formats.tsx'
import { comparisonOptions } from '#lib/client/query-options.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import {
  type CompareSpan,
  toCommonStart,
  toComparedKeys,
  toCompareParams,
} from './compare-query.ts'
import type { CompareStyle } from './compare-style.ts'
import { toComparedLines } from './compared-lines.ts'

/** What is compared, and how it is drawn. */
export type ComparedView = {
  /** The page's own symbol, which is the first of the lines. */
  symbol: string
  vs: readonly string[]
  query: CompareSpan
  style: CompareStyle
  /** Fewer active ratings than this leave a gap. */
  minimum: number
}

export type Compared = ReturnType<typeof useCompared>

/**
 * The answer for what is compared now, as lines. While the next one is loading, the lines of the one before. It is asked
 * for again every `againMs`, where that is given.
 */
export function useCompared(
  { symbol, vs, query, style, minimum }: ComparedView,
  { againMs = null }: { againMs?: number | null } = {},
) {
  const formats = useFormats()
  const keys = toComparedKeys(symbol, vs)
  const answer = useQuery({
    ...comparisonOptions(toCompareParams(keys, query)),
    refetchInterval: againMs ?? false,
  })
  const found = answer.data?.data
  const symbols = found?.symbols.filter((one) => keys.includes(toSymbolKey(one.symbol))) ?? []
  const lines = toComparedLines({ symbols }, keys, { minimum, scale: style.scale }, formats)
  const common = toCommonStart(symbols)
  const names = found ? lines.map((line) => line.symbol) : keys
  return {
    answer,
    found,
    keys,
    lines,
    shown: lines.filter((line) => !style.hidden.includes(line.key)),
    unknown: (found?.unknown ?? []).filter((key) => keys.includes(key)),
    common: common === query.from ? null : common,
    name: `Consensus compared, ${names.join(', ')}`,
  }
}
