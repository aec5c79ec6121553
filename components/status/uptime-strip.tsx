import { formatDate } from '#components/format/instants.ts'
import { formatCount, formatCounted } from '#components/format/numbers.ts'
import { Fold } from '#components/ui/fold.tsx'
import { Cell, HeaderCell, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { SYNC_DAYS_MAX, type SyncDay } from '#lib/contract/answers/status.ts'

type UptimeStripProps = {
  days: readonly SyncDay[]
  /** Seconds since 1970, server's clock. */
  now: number
}

const FULL = 20
const HALF = 8

/** Told by height as well as by color. */
const HEIGHTS: Readonly<Record<UptimeDay['state'], number>> = {
  good: FULL,
  mixed: FULL,
  failed: 12,
  unknown: 3,
}

const toBar = (index: number, height: number) => ({
  x: index,
  y: FULL - height,
  width: 0.82,
  height,
})

export function UptimeStrip({ days, now }: UptimeStripProps) {
  const uptime = toUptime(days, now)
  const percent = toSucceededPercent(uptime)
  const known = uptime.filter(({ state }) => state !== 'unknown')
  const troubled = known.filter(({ failed }) => failed > 0).toReversed()
  const summary =
    percent === null
      ? 'No sync has been counted yet.'
      : `${percent}% of syncs succeeded in ${known.length === 1 ? 'one day' : `${known.length} days`} of the last ${SYNC_DAYS_MAX}.`
  const toText = ({ day, done, failed, state }: UptimeDay) =>
    state === 'unknown'
      ? `${day}: no sync counted`
      : `${day}: ${formatCount(done)} succeeded, ${formatCount(failed)} failed`
  return (
    <section aria-labelledby="uptime" className="flex flex-col gap-2">
      <h2 id="uptime" className="text-base">
        Syncs of {SYNC_DAYS_MAX} days
      </h2>
      <svg
        role="img"
        aria-label={summary}
        className="uptime"
        preserveAspectRatio="none"
        viewBox={`0 0 ${SYNC_DAYS_MAX} ${FULL}`}
      >
        {uptime.map((day, index) => (
          <g key={day.day} data-uptime={day.state}>
            <title>{toText(day)}</title>
            <rect {...toBar(index, HEIGHTS[day.state])} />
            {day.state === 'mixed' && <rect className="uptime-failed" {...toBar(index, HALF)} />}
          </g>
        ))}
      </svg>
      <div className="flex flex-wrap justify-between gap-x-4 text-sm text-ink-3">
        <span>{uptime[0] && formatDate(Date.parse(uptime[0].day) / 1000)}</span>
        <span className="max-sm:order-last max-sm:w-full">{summary}</span>
        <span>today, UTC</span>
      </div>
      {troubled.length > 0 && (
        <Fold
          title={formatCounted(troubled.length, 'day with failed syncs', 'days with failed syncs')}
        >
          <TableFrame bare aria-label="Days with failed syncs">
            <Table aria-label="Days with failed syncs">
              <TableHead>
                <HeaderCell>Day, UTC</HeaderCell>
                <HeaderCell numeric>Succeeded</HeaderCell>
                <HeaderCell numeric>Failed</HeaderCell>
              </TableHead>
              <tbody>
                {troubled.map(({ day, done, failed }) => (
                  <tr key={day}>
                    <Cell>{day}</Cell>
                    <Cell numeric>{formatCount(done)}</Cell>
                    <Cell numeric>{formatCount(failed)}</Cell>
                  </tr>
                ))}
              </tbody>
            </Table>
          </TableFrame>
        </Fold>
      )}
    </section>
  )
}

type UptimeState = 'good' | 'mixed' | 'failed' | 'unknown'

/** `unknown`: no run in that UTC day, or before counting began. */
type UptimeDay = SyncDay & { state: UptimeState }

const DAY_MS = 86_400_000

/** 90 UTC days, today last. `now` in Unix seconds. */
export function toUptime(days: readonly SyncDay[], now: number): UptimeDay[] {
  const known = new Map(days.map((day) => [day.day, day]))
  return Array.from({ length: SYNC_DAYS_MAX }, (_, index) => {
    const at = now * 1000 - (SYNC_DAYS_MAX - 1 - index) * DAY_MS
    const day = new Date(at).toISOString().slice(0, 10)
    const { done, failed } = known.get(day) ?? { done: 0, failed: 0 }
    return { day, done, failed, state: toState(done, failed) }
  })
}

function toState(done: number, failed: number): UptimeState {
  if (done + failed === 0) return 'unknown'
  if (failed === 0) return 'good'
  return done === 0 ? 'failed' : 'mixed'
}

/** Null if there is no run. Rounded down to a tenth, so that 100 means all. */
export function toSucceededPercent(days: readonly UptimeDay[]): number | null {
  const done = days.reduce((sum, day) => sum + day.done, 0)
  const all = days.reduce((sum, day) => sum + day.done + day.failed, 0)
  return all === 0 ? null : Math.floor((1000 * done) / all) / 10
}
