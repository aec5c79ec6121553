import { useFormats } from '#components/format/use-formats.tsx'
import { JudgedCard } from '#components/ui/judged-card.tsx'
import { RANKED_LEAST } from '#lib/contract/answers/limits.ts'
import type { Luck } from '#lib/contract/answers/track.ts'
import { toLuckText } from './track-texts.ts'

export function LuckCard({ luck }: { luck: Luck }) {
  const formats = useFormats()
  const { formatCount, formatCounted } = formats
  const { ranked, beat } = luck
  return (
    <JudgedCard
      detail={`of ${formatCounted(ranked, 'user')} with ${RANKED_LEAST} separate calls and more`}
      figure={ranked === 0 ? '–' : formatCount(beat)}
      title="Users who beat a coin"
      why={
        <>
          <p>
            Users whose 95% interval is above 50%. Of many who only toss coins, some are there by
            luck alone: about 25 of 1,000. How many that would be here depends on how many calls
            each user has.
          </p>
          <p>
            If as many beat a coin as would by luck, nobody can tell which of them knew something.
          </p>
        </>
      }
    >
      {ranked > 0 && <p className="text-sm text-ink-3">{toLuckText(luck, formats)}</p>}
    </JudgedCard>
  )
}
