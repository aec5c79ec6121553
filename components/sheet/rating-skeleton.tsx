import { Skeleton } from '#components/ui/skeleton.tsx'

const LINES = ['70%', '35%', '80%', '60%']
const FIELDS = 15

/** Stands where a rating will stand, as high as that. */
export function RatingSkeleton() {
  return (
    <div className="flex flex-col gap-3" aria-busy>
      <Skeleton width="65%" height={26} />
      {LINES.map((width) => (
        <Skeleton key={width} width={width} />
      ))}
      <Skeleton height={112} className="rounded-md" />
      <div className="flex flex-col gap-2 border-t pt-3">
        {Array.from({ length: FIELDS }, (_, index) => `${45 + ((index * 17) % 40)}%`).map(
          (width) => (
            <Skeleton key={width} width={width} />
          ),
        )}
      </div>
    </div>
  )
}
