'use client'

import dynamic from 'next/dynamic'
import { useState } from 'react'
import { isAny } from '#lib/contract/value-list.ts'
import type { QualityListProps } from './quality-list.tsx'

/** As high as the list that comes in its place. */
const QualityList = dynamic(async () => (await import('./quality-list.tsx')).QualityList, {
  loading: () => <div className="h-[212px]" />,
})

/** The lenses on what contradicts itself: folded, and loaded only when opened, unless one is chosen. */
export function QualityFilter(props: QualityListProps) {
  const isChosen = !isAny(props.query.quality)
  const [fold, setFold] = useState({ isOpen: isChosen, isChosen })
  // One that is chosen elsewhere opens it; the last one that goes leaves it open under the pointer.
  if (fold.isChosen !== isChosen) setFold({ isOpen: fold.isOpen || isChosen, isChosen })
  return (
    <details
      className="relative"
      open={fold.isOpen}
      onToggle={({ currentTarget: { open } }) => setFold({ isOpen: open, isChosen })}
    >
      <summary className="mb-1.5 w-max text-sm font-medium text-ink-3">Data quality</summary>
      {fold.isOpen && <QualityList {...props} />}
    </details>
  )
}
