import { useFormats } from '#components/format/use-formats.tsx'
import { useAsof } from '#components/time/zone.tsx'
import type { User } from '#lib/contract/answers/users.ts'
import { toAgreementText, toTenThousandths } from './agreement.ts'
import { JudgedCard } from './judged-card.tsx'
import { toWilsonInterval } from './wilson-interval.ts'
import { WilsonText } from './wilson-text.tsx'

/** The share of votes that agreed, and between what it lies. */
export function AgreementCard({ user }: { user: User }) {
  const { agree, disagree, agreement_low: low } = user
  const formats = useFormats()
  const { formatCount, formatCounted, formatShare } = formats
  const asof = useAsof()
  const votes = agree + disagree
  const seen = asof === null ? '' : ', as last seen'
  const share = toAgreementText(agree, disagree, formats)
  const interval = low === null ? null : toWilsonInterval(agree, votes)
  return (
    <JudgedCard
      detail={
        share === null
          ? 'nobody voted on these ratings'
          : `of ${formatCounted(votes, 'vote')}${seen}`
      }
      figure={share ?? '–'}
      title="Agreement received"
      why={
        <>
          <p>
            The share of all votes on the member’s ratings that agreed. The bar is Wilson’s interval
            at 95%: few votes leave it wide.
          </p>
          <WilsonText />
          <p>
            Votes cannot be rewound: they are as last seen. They say what readers liked, not what
            came true.
          </p>
        </>
      }
    >
      {interval !== null && low !== null && (
        <>
          <div aria-hidden className="relative mt-2 h-2.5 max-w-96 rounded-xs bar-track">
            <span
              className="absolute inset-y-0 rounded-xs bar-fill opacity-45"
              style={{
                left: `${toTenThousandths(low) / 100}%`,
                width: `${Math.max(0.5, interval.high - toTenThousandths(low) / 100)}%`,
              }}
            />
            <span
              className="absolute -inset-y-1 w-0.5 forced-color-adjust-none bg-ink forced-colors:bg-[CanvasText]"
              style={{ left: `calc(${(100 * agree) / votes}% - 1px)` }}
            />
          </div>
          <p className="text-sm text-ink-3">
            Between {formatShare(Math.round(toTenThousandths(low) / 100))} and{' '}
            {formatShare(Math.round(interval.high))}; {formatCount(agree)} agreed,{' '}
            {formatCount(disagree)} disagreed
          </p>
        </>
      )}
    </JudgedCard>
  )
}
