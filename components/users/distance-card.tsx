import { useFormats } from '#components/format/use-formats.tsx'
import { toSignedText } from '#components/symbols/signed-consensus.ts'
import type { MemberRecord } from '#lib/contract/answers/user-record.ts'
import { FEWEST, JudgedCard, TooFew } from './judged-card.tsx'

type Distance = MemberRecord['distance']

const BARS_PX = 44

/** How far the member stood from the others when posting. */
export function DistanceCard({ record }: { record: MemberRecord }) {
  const { n, mean, size, gaps } = record.distance
  const formats = useFormats()
  const { formatCounted, formatConsensus } = formats
  return (
    <JudgedCard
      detail={
        mean === null
          ? 'no rating had 3 others beside it'
          : `on average, ${formatConsensus(size)} either way, n=${formats.formatCount(n)}`
      }
      figure={mean === null ? '–' : toSignedText(mean, formats)}
      title="Distance from consensus when posting"
      why={
        <>
          <p>
            Each rating less the mean of the others’ on the symbol at that instant, in steps of the
            scale; + is more bullish. Others are the ratings that had been posted before and were
            active; where there were fewer than 3, nothing is judged.
          </p>
          <p>
            {formatCounted(n, 'rating')} of the latest {formats.formatCount(record.judged)} could be
            judged. The second figure is the mean without signs: a member who errs both ways has a
            small first and a large second. To stand apart is no fault: without prices nobody knows
            who was right.
          </p>
          <p>
            Bias, at the head of the page, is the same of the ratings that are active, against the
            others that are active beside them.
          </p>
        </>
      }
    >
      {n > 0 && n < FEWEST && <TooFew>Distances are drawn from {FEWEST} on.</TooFew>}
      {n >= FEWEST && <Gaps gaps={gaps} n={n} />}
    </JudgedCard>
  )
}

/** How many ratings stood how many whole steps away: −4 to +4, beyond only where a code is off the scale. */
function Gaps({ gaps, n }: Pick<Distance, 'gaps' | 'n'>) {
  const formats = useFormats()
  const reach = Math.max(2, ...gaps.map(({ gap }) => Math.min(4, Math.abs(gap))))
  const steps = Array.from({ length: 2 * reach + 1 }, (_, index) => index - reach)
  const countOf = (step: number) =>
    gaps
      .filter(({ gap }) => Math.max(-reach, Math.min(reach, gap)) === step)
      .reduce((sum, { count }) => sum + count, 0)
  const most = Math.max(...steps.map(countOf))
  return (
    <ol
      aria-label={`Distances in whole steps, of ${formats.formatCounted(n, 'rating')}`}
      className="flex max-w-80 gap-1 pt-1"
    >
      {steps.map((step) => {
        const count = countOf(step)
        return (
          <li key={step} className="flex min-w-0 grow basis-0 flex-col items-center text-xs">
            <span className="min-h-4 text-ink-2">{count > 0 && formats.formatCount(count)}</span>
            <span className="flex w-full items-end" style={{ height: BARS_PX }}>
              <span
                aria-hidden
                className={
                  step === 0 ? 'w-full rounded-t-xs rating-fill-3' : 'w-full rounded-t-xs bar-fill'
                }
                style={{ height: count === 0 ? 0 : Math.max(2, (BARS_PX * count) / most) }}
              />
            </span>
            <span className="w-full border-t border-line-2 text-center text-ink-3">
              {toStepText(step)}
              <span className="sr-only">: {formats.formatCount(count)}</span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}

const toStepText = (step: number) => (step === 0 ? '0' : step > 0 ? `+${step}` : `−${-step}`)
