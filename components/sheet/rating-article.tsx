import Link from 'next/link'
import { TimeMachine } from '#components/time-machine/time-machine.tsx'
import { buttonClasses } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import type { RatingAnswer } from '#lib/contract/answers/ratings.ts'
import type { Outlook } from '#lib/contract/outlook.ts'
import { CopyLink } from './copy-link.tsx'
import { toEveryRatingHref, toRatingHref } from './rating-address.ts'
import { RatingFields } from './rating-fields.tsx'
import { RatingHeadline } from './rating-headline.tsx'
import { RatingHistory } from './rating-history.tsx'
import { RatingQuality } from './rating-quality.tsx'
import { RatingStanding } from './rating-standing.tsx'
import { RatingVotes } from './rating-votes.tsx'
import { RawJson } from './raw-json.tsx'

/** The same as in the side sheet, with room: what was said at the left, the fields as they came at the right. */
export function RatingArticle({ answer, outlook }: { answer: RatingAnswer; outlook: Outlook }) {
  const { data } = answer
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Link
          href={toEveryRatingHref(outlook)}
          prefetch={false}
          className={classNames(buttonClasses({ variant: 'quiet', size: 'small' }), '-ml-2')}
        >
          ← All ratings
        </Link>
        <span className="text-ink-3">Rating {data.id}</span>
        <TimeMachine className="ml-auto" />
        <CopyLink href={toRatingHref(data.id, outlook)} />
      </div>
      <div className="grid gap-x-8 gap-y-4 lg:grid-cols-[minmax(0,34rem)_minmax(0,28rem)] lg:justify-between">
        <div className="flex min-w-0 flex-col gap-3">
          <RatingHeadline answer={answer} as="h1" />
          <RatingStanding answer={answer} outlook={outlook} />
          <RatingQuality answer={answer} outlook={outlook} />
          <RatingVotes rating={data} />
          <RatingHistory key={data.id} answer={answer} outlook={outlook} heading="h2" />
        </div>
        <div className="flex min-w-0 flex-col gap-3 lg:[&>section:first-child]:border-t-0 lg:[&>section:first-child]:pt-1">
          <RatingFields rating={data} heading="h2" />
          <RawJson rating={data} asof={outlook.asof} />
        </div>
      </div>
    </>
  )
}
