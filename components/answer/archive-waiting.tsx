'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { statusOptions } from '#lib/client/query-options.ts'
import { ArchiveFilling } from './archive-filling.tsx'

/**
 * Stands where ratings will stand once the archive has some; the first start fetches them. `onArrival` is called when
 * they are there.
 */
export function ArchiveWaiting({ onArrival }: { onArrival: () => void }) {
  const status = useQuery(statusOptions()).data?.data
  const hasArrived = (status?.archive.ratings ?? 0) > 0
  const arrive = useEffectEvent(onArrival)
  useEffect(() => {
    if (hasArrived) arrive()
  }, [hasArrived])
  return <ArchiveFilling status={status} className="rounded-lg border bg-surface" />
}
