import type { Formats } from '#components/format/numbers.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { Button } from '#components/ui/button.tsx'

type NewerRatingsProps = {
  isShown: boolean
  /** How many ratings there are beyond those that were known; null where that cannot be told. */
  count: number | null
  onShow: () => void
}

/**
 * The archive knows more than what is shown. Nothing moves before the reader asks for it, nor because it is offered.
 * That it is offered is said once, however high the number rises while he reads on.
 */
export function NewerRatings({ isShown, count, onShow }: NewerRatingsProps) {
  const formats = useFormats()
  return (
    <span className="relative h-[26px] w-0 self-start">
      <span role="status" className="sr-only">
        {isShown && 'Newer ratings can be shown.'}
      </span>
      {isShown && (
        <Button
          size="small"
          className="max-lg:fixed max-lg:inset-x-0 max-lg:bottom-4 max-lg:z-20 max-lg:mx-auto max-lg:w-fit lg:absolute lg:right-0 lg:bottom-full lg:mb-2"
          onClick={onShow}
        >
          <span aria-hidden className="dot dot-busy" />
          {toChange(count, formats)} · <span className="text-accent">Show</span>
        </Button>
      )}
    </span>
  )
}

/** Some of them may not pass the filters. Where there are not more, ratings that were there have changed. */
const toChange = (count: number | null, { formatCounted }: Formats): string =>
  count === null ? 'Ratings have changed' : formatCounted(count, 'new rating')
