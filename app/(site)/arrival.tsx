'use client'

import { useSelectedLayoutSegments } from 'next/navigation'
import type { ReactNode } from 'react'
import { ListPageSkeleton } from '#components/list/list-skeleton.tsx'
import { Arriving } from '#components/ui/fold.tsx'
import { PageBody } from '#components/ui/page-layout.tsx'

const SKELETONS = new Map([
  [
    'symbols/(league)',
    <ListPageSkeleton key="symbols" name="Symbols">
      <div className="min-h-6" />
    </ListPageSkeleton>,
  ],
  ['users/(league)', <ListPageSkeleton key="users" name="Users" />],
])

/** Not `loading.tsx`, which would stream a skeleton into the first document too. */
export function Arrival({ children }: { children: ReactNode }) {
  const place = useSelectedLayoutSegments()?.join('/') ?? ''
  const skeleton = SKELETONS.get(place)
  if (skeleton === undefined) return children
  return (
    <Arriving key={place} skeleton={<PageBody>{skeleton}</PageBody>}>
      {children}
    </Arriving>
  )
}
