'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { ratingsOptions } from '#lib/client/query-options.ts'
import {
  EVERY_RATING,
  type RatingsQuery,
  toQueryText,
  toSearchParams,
} from '#lib/contract/ratings-query.ts'

const PAUSE_MS = 150

/**
 * How many ratings a filter leaves, once somebody pauses; nothing while it is not known. Asks for the same page that
 * the table will show, which is there then when the filter is applied.
 */
export function useMatches(query: RatingsQuery, isOn: boolean): string | undefined {
  const { formatCounted } = useFormats()
  const address = toQueryText(toSearchParams(query))
  const [settled, setSettled] = useState<string | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(address), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [address])
  const isSettled = isOn && settled === address
  const { data, isPlaceholderData } = useQuery({
    ...ratingsOptions(isSettled ? query : EVERY_RATING),
    enabled: isSettled,
    retry: false,
  })
  return isSettled && data && !isPlaceholderData
    ? formatCounted(data.page.total, 'rating')
    : undefined
}
