import { Skeleton } from '#components/ui/loading.tsx'
import { Cell } from '#components/ui/table.tsx'

const MOST = 40

/** Rows in outline, as high as those that will come. */
export function SkeletonRows({ rows, columns }: { rows: number; columns: number }) {
  return Array.from({ length: Math.min(rows, MOST) }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: outlines have nothing else and never move
    <tr key={row} aria-hidden>
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outlines have nothing else and never move
        <Cell key={column}>
          <Skeleton width={`${55 + ((row * 7 + column * 13) % 40)}%`} />
        </Cell>
      ))}
    </tr>
  ))
}
