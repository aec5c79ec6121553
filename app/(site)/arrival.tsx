'use client'

import { useSelectedLayoutSegments } from 'next/navigation'
import { type ReactNode, Suspense, useState } from 'react'
import { ListPageSkeleton } from '#components/list/list-skeleton.tsx'
import { SymbolsPageSkeleton } from '#components/symbols/overview-skeleton.tsx'
import { PageBody } from '#components/ui/page-layout.tsx'
import { useInBrowser } from '#components/ui/use-browser.ts'

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

function Arriving({ skeleton, children }: { skeleton: ReactNode; children: ReactNode }) {
  const isInBrowser = useInBrowser()
  const [isClicked] = useState(isInBrowser)
  return isClicked ? <Suspense fallback={skeleton}>{children}</Suspense> : children
}
