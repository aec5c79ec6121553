import type { ReactNode } from 'react'
import { PageHeader } from '#components/ui/page-layout.tsx'

const ROWS = 50

export function ListPageSkeleton({ name, children }: { name: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col gap-3">
      <PageHeader title={name} />
      {children}
      <ListSkeleton name={name} rows={ROWS} />
    </div>
  )
}

const HEAD_PX = 32
const ROW_PX = 31

type ListSkeletonProps = { name: string; rows: number }

export function ListSkeleton({ name, rows }: ListSkeletonProps) {
  return (
    <div aria-busy className="list-skeleton" style={{ height: HEAD_PX + rows * ROW_PX }}>
      <p className="sr-only">{name} are loading.</p>
    </div>
  )
}
