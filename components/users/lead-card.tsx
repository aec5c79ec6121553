import type { Formats } from '#components/format/formats.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import type { MemberRecord } from '#lib/contract/answers/user-record.ts'
import { toPercent, toShareText, toTenThousandths } from './agreement.ts'
import { toCoinRange } from './coin-range.ts'
import { FEWEST, JudgedCard, TooFew } from './judged-card.tsx'

type Lead = MemberRecord['lead']

/** Whether the others came towards the member within 30 days. */
export function LeadCard({ lead }: { lead: Lead }) {
  const formats = useFormats()
  const { formatShare } = formats
  const { n, towards } = lead
  const isFew = n < FEWEST
  return (
    <JudgedCard
      detail={isFew ? toFewText(lead, formats) : toLeadText(lead, formats)}
      figure={isFew ? '–' : formatShare(toPercent(towards, n))}
      title="Lead: the crowd came towards them within 30 days"
      why={
        <>
          <p>
            Judged are ratings that stood apart from the mean of the others, are at least 30 days
            old, and on whose symbol at least 3 others are active 30 days later. Towards: the mean
            of the others had moved to the rating’s side by then; away: to the other; still: not at
            all.
          </p>
          <p>
            The mark is chance: the share that would be towards if a coin had drawn the direction of
            each that moved, (towards + away) / 2n. {!isFew && toRangeText(lead, formats)}
          </p>
          <p>
            It does not say who was right. Crowds drift back to the middle by themselves, so whoever
            stands where the crowd will go looks ahead of it.
          </p>
        </>
      }
    >
      {isFew ? n > 0 && <TooFew>A share is stated from {FEWEST} on.</TooFew> : <Bar lead={lead} />}
    </JudgedCard>
  )
}

const toFewText = ({ n, towards }: Lead, { formatCount, formatCounted }: Formats) =>
  n === 0
    ? 'no rating can be judged yet'
    : `${formatCount(towards)} of ${formatCounted(n, 'rating')} towards`

const toLeadText = ({ n, chance }: Lead, formats: Formats) =>
  `of ${formats.formatCount(n)}; ${toShareText(chance ?? '0', formats)} by coin`

function toRangeText(lead: Lead, { formatShare }: Formats): string {
  const { low, high } = toCoinRange(lead)
  return `19 of 20 members who toss coins come out between ${formatShare(low)} and ${formatShare(high)}.`
}

/** Towards, still and away side by side, with the chance level on them. */
function Bar({ lead }: { lead: Lead }) {
  const { n, towards, still, away, chance } = lead
  const { formatCount } = useFormats()
  const share = (part: number) => `${(100 * part) / n}%`
  return (
    <div className="flex max-w-96 flex-col gap-1 pt-1">
      <div aria-hidden className="relative py-1.5">
        <div className="flex h-2.5 gap-px overflow-hidden rounded-xs bg-surface">
          <span className="bar-fill" style={{ width: share(towards) }} />
          <span className="forced-color-adjust-none bar-track" style={{ width: share(still) }} />
          <span className="forced-color-adjust-none bg-edge" style={{ width: share(away) }} />
        </div>
        <span
          className="absolute inset-y-0 w-0.5 forced-color-adjust-none bg-ink outline-1 outline-surface forced-colors:bg-[CanvasText]"
          style={{ left: `calc(${toTenThousandths(chance ?? '0') / 100}% - 1px)` }}
        />
      </div>
      <ul className="flex flex-wrap gap-x-4 text-sm text-ink-3">
        <Part count={formatCount(towards)} fill="bar-fill" name="towards" />
        <Part count={formatCount(still)} fill="bar-track" name="still" />
        <Part count={formatCount(away)} fill="bg-edge" name="away" />
        <li className="inline-flex items-center gap-1.5">
          <span
            aria-hidden
            className="h-3 w-0.5 forced-color-adjust-none bg-ink forced-colors:bg-[CanvasText]"
          />{' '}
          chance
        </li>
      </ul>
    </div>
  )
}

const Part = ({ count, name, fill }: { count: string; name: string; fill: string }) => (
  <li className="inline-flex items-center gap-1.5">
    <span aria-hidden className={`size-2 rounded-xs forced-color-adjust-none ${fill}`} /> {count}{' '}
    {name}
  </li>
)
