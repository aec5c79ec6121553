import { classNames } from '#components/ui/class-names.ts'
import type { RatingAnswer } from '#lib/contract/answers/ratings.ts'
import type { Outlook } from '#lib/contract/outlook.ts'
import { At } from './at.tsx'
import { RatingLink, type ShowRating } from './rating-link.tsx'
import { toStanding } from './standing.ts'

type RatingStandingProps = { answer: RatingAnswer; outlook: Outlook; show?: ShowRating }

/** Whether the rating counts, until when it does or did, and what took its place. */
export function RatingStanding({ answer, outlook, show }: RatingStandingProps) {
  const { word, text, at, by, foreseen } = toStanding(answer)
  const isActive = word === 'Active'
  return (
    <div>
      <p>
        <span
          aria-hidden
          className={classNames(
            'mr-1.5 inline-block size-2 rounded-full border',
            isActive ? 'border-good bg-good forced-colors:bg-[CanvasText]' : 'border-ink-3',
          )}
        />
        <span className={classNames('font-semibold', isActive && 'text-good')}>{word}</span>{' '}
        {by && (
          <>
            by{' '}
            <RatingLink to={by.id} outlook={outlook} show={show} className="link">
              {by.rating_label}
            </RatingLink>{' '}
          </>
        )}
        {text} {at !== null && <At seconds={at} asOf={answer.meta.as_of} />}
      </p>
      {word === 'Replaced' && (
        <p className="text-ink-3">
          {foreseen === null ? (
            'No expiry had been given.'
          ) : (
            <>
              It would have expired on <At seconds={foreseen} />
            </>
          )}
        </p>
      )}
    </div>
  )
}
