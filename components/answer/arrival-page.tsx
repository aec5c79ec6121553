'use client'

import { useRouter } from 'next/navigation'
import { ArchiveWaiting } from './archive-waiting.tsx'

/** A page whose subject nobody knows yet: asks the server again once the archive has ratings. */
export function ArrivalPage({ title }: { title: string }) {
  const router = useRouter()
  return (
    <>
      <h1 className="text-2xl wrap-anywhere">{title}</h1>
      <ArchiveWaiting onArrival={() => router.refresh()} />
    </>
  )
}
