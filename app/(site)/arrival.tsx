'use client'

import { useSelectedLayoutSegments } from 'next/navigation'
import type { ReactNode } from 'react'
import { ListPageSkeleton } from '#components/list/list-skeleton.tsx'
import { SymbolsPageSkeleton } from '#components/symbols/overview-skeleton.tsx'
import { Arriving } from '#components/ui/arriving.tsx'
import { PageBody } from '#components/ui/page-layout.tsx'

const SKELETONS = new Map([
  ['symbols/(league)', <SymbolsPageSkeleton key="symbols" />],
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
