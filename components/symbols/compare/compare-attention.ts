import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { toAttentionParams, toDrawnAttention } from '#components/symbols/series/attention.ts'
import { useInBrowser } from '#components/ui/use-browser.ts'
import { attentionOptions } from '#lib/client/lookups-options.ts'
import type { Bucket } from '#lib/contract/api-queries.ts'
import type { ComparedLine } from './comparison.ts'

/** Null while nothing is known, and during hydration: the server renders without look-ups. */
export function useComparedAttention(
  lines: readonly ComparedLine[],
  { bucket, asof }: { bucket: Bucket; asof: number | null },
): ComparedLine[] | null {
  const { formatCounted } = useFormats()
  const points = lines[0]?.points
  const columns = useMemo(() => ({ bucket, points: points ?? [] }), [bucket, points])
  const params = useMemo(() => toAttentionParams(columns, asof), [columns, asof])
  const answers = useQueries({
    queries: lines.map(({ key }) => ({
      ...attentionOptions(key, params),
      enabled: columns.points.length > 0,
    })),
  })
  const isInBrowser = useInBrowser()
  const found = lines.map((_, index) => (isInBrowser ? answers[index]?.data?.data : undefined))
  if (found.every((attention) => attention?.known_to == null)) return null
  return lines.map((line, index) => {
    const attention = found[index]
    const counts = attention ? toDrawnAttention(attention, columns).columns : []
    return {
      ...line,
      points: line.points.map(({ t }, at) => {
        const count = counts[at]?.total ?? null
        const text = count === null ? 'not known' : formatCounted(count, 'look-up')
        return { t, value: count, text }
      }),
    }
  })
}
