import type { Formats } from '#components/format/formats.ts'

/** From bar to bar. */
export const BAR_PX = 4
const GAP_PX = 1

/** One a day and more fill the height: the scale is the same for everybody. */
const FULL_WEEK = 7

/** The path of a year's bars, the oldest week at the left; a week without a rating has none. */
export function toBarsPath(activity: readonly number[], height: number): string {
  return activity
    .map((count, week) => {
      if (count === 0) return ''
      const tall = Math.round((10 * height * Math.min(count, FULL_WEEK)) / FULL_WEEK) / 10
      const wide = BAR_PX - GAP_PX
      return `M${week * BAR_PX} ${height}v${-tall}h${wide}v${tall}z`
    })
    .join('')
}

type Counting = Pick<Formats, 'formatCount' | 'formatCounted'>

/** The same in words: how many, in how many of the weeks, the most in one, and how long ago the last was. */
export function toBarsReading(
  activity: readonly number[],
  { formatCount, formatCounted }: Counting,
): string {
  const total = activity.reduce((sum, count) => sum + count, 0)
  const all = formatCounted(activity.length, 'week')
  if (total === 0) return `No rating in ${all}`
  const busy = activity.filter((count) => count > 0).length
  const ago = activity.length - 1 - activity.findLastIndex((count) => count > 0)
  const last = ago === 0 ? 'the last in the latest' : `the last ${formatCounted(ago, 'week')} ago`
  const most = formatCount(Math.max(...activity))
  return `${formatCounted(total, 'rating')} in ${formatCount(busy)} of ${all}, at most ${most} in one, ${last}`
}
