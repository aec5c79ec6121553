import type { ChartFacts } from '#components/chart-files/chart-facts.ts'
import { formatDay } from '#components/format/instant.ts'
import type { Meta } from '#lib/contract/answers/envelope.ts'
import type { ActivityDay } from './activity-weeks.ts'

export const ACTIVITY_RULE =
  'Ratings posted on each day of UTC in 53 whole weeks up to that of the page’s instant, whether they still count or not. The four shades are quarters of the busiest day.'

type Displayed = { userId: number; weeks: readonly ActivityDay[][]; meta: Meta }

/** What the calendar of activity says of itself when it is saved; its rows are its days. */
export function toActivityFacts({ userId, weeks, meta }: Displayed): ChartFacts {
  const days = weeks.flat().filter(({ count }) => count !== null)
  const ends = [days.at(0), days.at(-1)].flatMap((one) => (one ? [formatDay(one.day)] : []))
  return {
    title: `User ${userId}: activity by day`,
    range: ends.join(' to '),
    zone: 'UTC',
    rule: ACTIVITY_RULE,
    asOf: meta.as_of,
    completeTo: meta.complete_to,
    nameParts: [`user-${userId}`, 'activity', ...ends],
    columns: [
      { name: 'day', kind: 'instant' },
      { name: 'ratings', kind: 'number' },
    ],
    rows: days.map(({ day, count }) => [day, count]),
  }
}
