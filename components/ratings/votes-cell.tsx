import { Count } from '#components/format/use-formats.tsx'

/** Votes for a rating, and beside them how all votes are split. Nothing is drawn where nobody voted. */
export function AgreeCell({ agree, disagree }: { agree: number; disagree: number }) {
  const votes = agree + disagree
  return (
    <span className="flex items-center justify-end gap-1.5">
      {votes > 0 && (
        <span aria-hidden className="flex h-1 w-[22px] min-w-0 gap-px overflow-hidden rounded-full">
          {agree > 0 && (
            <span className="rating-fill-4" style={{ width: `${(100 * agree) / votes}%` }} />
          )}
          {disagree > 0 && <span className="rating-fill-2 grow" />}
        </span>
      )}
      <span className="max-w-full min-w-[3ch] shrink-0 truncate">
        <Tally count={agree} />
      </span>
    </span>
  )
}

/** A tally; nothing is quieter than something. */
export const Tally = ({ count }: { count: number }) => (
  <span className={count === 0 ? 'text-ink-3' : undefined}>
    <Count of={count} />
  </span>
)
