import type { Formats } from '#components/format/formats.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { Button } from '#components/ui/button.tsx'

type NewerRatingsProps = {
  isShown: boolean
  /** How many ratings there are beyond those that were known; null where that cannot be told. */
  count: number | null
  onShow: () => void
}

/** The archive knows more than what is shown. Nothing moves before the reader asks for it, nor because it is offered. */
export function NewerRatings({ isShown, count, onShow }: NewerRatingsProps) {
  const formats = useFormats()
  return (
    <span role="status" className="relative h-[26px] w-0 self-start">
      {isShown && (
        <Button
          size="small"
          className="max-lg:fixed max-lg:inset-x-0 max-lg:bottom-4 max-lg:z-20 max-lg:mx-auto max-lg:w-fit lg:absolute lg:right-0 lg:bottom-full lg:mb-2"
          onClick={onShow}
        >
          <span aria-hidden className="dot dot-busy" />
          {toArrived(count, formats)} · <span className="text-accent">Show</span>
        </Button>
      )}
    </span>
  )
}

/** Some of them may not pass the filters. Where there are not more, ratings that were there have changed. */
function toArrived(count: number | null, { formatCounted }: Formats): string {
  if (count === null) return 'Newer ratings have arrived'
  return `${formatCounted(count, 'newer rating')} ${count === 1 ? 'has' : 'have'} arrived`
}
