import { useFormats } from '#components/format/use-formats.tsx'
import type { MemberRecord } from '#lib/contract/answers/user-record.ts'
import { toPercent } from './agreement.ts'
import { JudgedCard } from './judged-card.tsx'

const WAYS = [
  { key: 'renewed', name: 'renewed in time' },
  { key: 'returned', name: 'returned to later' },
  { key: 'lapsed', name: 'left to lapse' },
  { key: 'never', name: 'expired before posted' },
] as const

const FILLS = ['bar-fill', 'bar-fill opacity-50', 'bg-edge', 'bar-track']

/** How the member's ratings ended. */
export function PersistenceCard({ persistence }: { persistence: MemberRecord['persistence'] }) {
  const { formatCount, formatCounted, formatShare } = useFormats()
  const { ended, renewed } = persistence
  const parts = WAYS.map((way, index) => ({
    ...way,
    count: persistence[way.key],
    fill: FILLS[index] ?? 'bar-track',
  })).filter(({ key, count }) => key !== 'never' || count > 0)
  return (
    <JudgedCard
      detail={
        ended === 0
          ? 'none has ended yet'
          : `renewed, of ${formatCounted(ended, 'rating')} that ended`
      }
      figure={ended === 0 ? '–' : formatShare(toPercent(renewed, ended))}
      title="Persistence"
      why={
        <>
          <p>
            What became of every rating that has ended. Renewed in time: the member rated the symbol
            again no later than it expired. Returned to later: after it had expired. Left to lapse:
            not again so far.
          </p>
          <p>
            Ratings without an expiry end only by being renewed, so whoever sets none never lapses.
            A recent lapse may yet become a return.
          </p>
        </>
      }
    >
      {ended > 0 && (
        <div className="flex max-w-96 flex-col gap-1 pt-1">
          <div aria-hidden className="flex h-2.5 gap-px overflow-hidden rounded-xs">
            {parts.map(({ key, count, fill }) => (
              <span
                key={key}
                className={`forced-color-adjust-none ${fill}`}
                style={{ width: `${(100 * count) / ended}%` }}
              />
            ))}
          </div>
          <ul className="flex flex-wrap gap-x-4 text-sm text-ink-3">
            {parts.map(({ key, name, count, fill }) => (
              <li key={key} className="inline-flex items-center gap-1.5">
                <span
                  aria-hidden
                  className={`size-2 rounded-xs forced-color-adjust-none ${fill}`}
                />
                {formatCount(count)} {name}
              </li>
            ))}
          </ul>
        </div>
      )}
    </JudgedCard>
  )
}
