import { PANES_HEIGHT } from '#components/charts/pane-sizes.ts'
import { Skeleton } from '#components/ui/loading.tsx'
import { FIGURE_CHROME_PX } from './series-figure-sizes.ts'

/** As high as a symbol's page down to the end of its chart. */
export function SymbolSkeleton() {
  return (
    <div aria-busy className="flex flex-col gap-4">
      <p className="sr-only">The symbol is loading.</p>
      <Skeleton height={34} width="14rem" />
      <Skeleton height={85} />
      <Skeleton className="rounded-lg" height={PANES_HEIGHT + FIGURE_CHROME_PX} />
    </div>
  )
}
