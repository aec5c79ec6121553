import { Skeleton } from '#components/ui/loading.tsx'
import { OVERVIEW_LINES } from '#lib/contract/answers/symbols.ts'
import { LINE_PX, LIST_CLASSES, STRIP_CLASSES } from './overview-sizes.ts'

const LISTS = ['upgraded', 'downgraded', 'moves', 'newest', 'contested', 'cliffs']
const WIDTHS = ['72%', '84%', '66%', '78%', '60%']

/** As high as the overview that will stand there. */
export function OverviewSkeleton() {
  return (
    <div aria-busy className="border-t">
      <p className="sr-only">The overview is loading.</p>
      <div aria-hidden className={STRIP_CLASSES}>
        {LISTS.map((list) => (
          <div className={LIST_CLASSES} key={list}>
            <div className="flex h-9 items-center">
              <Skeleton width="55%" />
            </div>
            {WIDTHS.slice(0, OVERVIEW_LINES).map((width) => (
              <div className="flex items-center" key={width} style={{ height: LINE_PX }}>
                <Skeleton width={width} />
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}
