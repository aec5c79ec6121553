import { useFormats } from '#components/format/use-formats.tsx'
import { RowPicture } from '#components/league/row-picture.tsx'
import { BAR_PX, toBarsPath, toBarsReading } from './bars-path.ts'

const HEIGHT_PX = 18

/**
 * A member's ratings of a year by week, the last of which ends with the page's instant: the same scale in every row, so
 * that rows can be compared.
 */
export function ActivityBars({ activity }: { activity: readonly number[] }) {
  const { formatCount, formatCounted } = useFormats()
  const width = activity.length * BAR_PX
  const reading = toBarsReading(activity, { formatCount, formatCounted })
  return (
    <RowPicture height={HEIGHT_PX} lineY={HEIGHT_PX - 0.5} reading={reading} width={width}>
      <path d={toBarsPath(activity, HEIGHT_PX)} fill="currentColor" />
    </RowPicture>
  )
}
