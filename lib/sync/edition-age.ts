import type { Edition } from '#lib/contract/answers/state.ts'
import { nextEditionAt } from '#lib/contract/weekly-clock.ts'

/** Clocks are set by a little without that meaning anything. */
const SLACK_SECONDS = 3600

type Dated = Pick<Edition, 'fetched_at' | 'next_due_at'>

/** Whether an edition is that of the week at `at` (seconds since 1970): the service has none that is newer. */
export const isFresh = (edition: Dated, at: number): boolean =>
  edition.next_due_at > at && !isAhead(edition, at)

/** Whether an edition came under a clock that was ahead, so that it seems to be of a week that is still to come. */
export const isAhead = ({ fetched_at, next_due_at }: Dated, at: number): boolean =>
  fetched_at > at + SLACK_SECONDS && next_due_at > nextEditionAt(at + SLACK_SECONDS)
