import type { ReactNode } from 'react'
import { ListSkeleton } from '#components/list/list-skeleton.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { PageHeader } from '#components/ui/page-layout.tsx'
import { OVERVIEW_LINES } from '#lib/contract/answers/limits.ts'

const ROWS = 50

export function SymbolsPageSkeleton() {
  return (
    <div className="flex flex-col gap-3">
      <PageHeader title="Symbols" />
      <div className="min-h-6" />
      <OverviewFrame>
        <OverviewSkeleton />
      </OverviewFrame>
      <ListSkeleton name="Symbols" rows={ROWS} />
    </div>
  )
}

type OverviewFrameProps = { detail?: ReactNode; children: ReactNode }

/** Folded on a phone, so that the table stays visible. */
export const OverviewFrame = ({ detail, children }: OverviewFrameProps) => (
  <div className="overview-frame">
    <div className="flex min-h-8 items-center gap-2 px-4 max-sm:min-h-10">
      <h2 className="text-base font-semibold">Overview</h2>
      {detail}
      <label className="ml-auto flex h-10 cursor-pointer items-center gap-2 sm:hidden">
        <input
          aria-label="Show the overview"
          autoComplete="off"
          className="check"
          type="checkbox"
        />
        Show
      </label>
    </div>
    {children}
  </div>
)

const LINE_PX = 24

const HEAD_PX = 36

const LISTS = ['contested', 'expiring', 'newest']

export function OverviewSkeleton() {
  return (
    <div aria-busy className="overview">
      <p className="sr-only">The overview is loading.</p>
      {LISTS.map((list) => (
        <div className="block!" key={list}>
          <Skeleton height={HEAD_PX + OVERVIEW_LINES * LINE_PX} />
        </div>
      ))}
    </div>
  )
}
