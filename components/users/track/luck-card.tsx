import { useFormats } from '#components/format/use-formats.tsx'
import { JudgedCard } from '#components/ui/judged-card.tsx'
import type { CommunityRecord } from '#lib/contract/answers/track.ts'
import { toLuckText } from './track-texts.ts'

/** How many users beat a coin, against how many would by luck alone. */
export function LuckCard({ record }: { record: CommunityRecord }) {
  const formats = useFormats()
  const { formatCount, formatCounted } = formats
  const { ranked, beat, worse } = record.luck
  return (
    <JudgedCard
      detail={`of ${formatCounted(ranked, 'user')} with 5 separate calls and more`}
      figure={ranked === 0 ? '–' : formatCount(beat)}
      title="Users who beat a coin"
      why={
        <>
          <p>
            Who did so well that a coin does it in 2.5 of 100 tries or fewer. Of many who only toss
            coins, some do so by luck alone: of 1,000 at most 25. How many that would be here is
            worked out from how many calls each user has.
          </p>
          <p>
            Where as many beat a coin as would by luck, there is no telling who of them knew
            something.
          </p>
        </>
      }
    >
      {ranked > 0 && (
        <p className="text-sm text-ink-3">
          {toLuckText(record.luck, formats)} {formatCount(worse)} did worse than a coin in the same
          way.
        </p>
      )}
    </JudgedCard>
  )
}
