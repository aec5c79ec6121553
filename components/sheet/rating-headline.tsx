'use client'

import { useFormats } from '#components/format/use-formats.tsx'
import { ActionMark } from '#components/rating/action-mark.tsx'
import { RatingMark } from '#components/rating/rating-mark.tsx'
import { toSymbolHref } from '#components/symbols/symbol-address.ts'
import { ZonedLink } from '#components/time/zoned-link.tsx'
import type { RatingAnswer } from '#lib/contract/answers/ratings.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { At } from './at.tsx'
import { toPredictionBefore, toRatingBefore } from './rating-words.ts'

type RatingHeadlineProps = { answer: RatingAnswer; as: 'h1' | 'h2' }

/** What was said, as the trade writes it: the symbol, what it was and is, by how much, and who said so when. */
export function RatingHeadline({ answer, as: Heading }: RatingHeadlineProps) {
  const { formatPrediction } = useFormats()
  const { data, meta } = answer
  const before = toPredictionBefore(answer)
  return (
    <header className="flex flex-col gap-1">
      <Heading className="flex flex-wrap items-baseline gap-x-3 text-xl wrap-anywhere">
        <ZonedLink
          prefetch={false}
          className="hover:underline"
          href={toSymbolHref(toSymbolKey(data.symbol))}
        >
          {data.symbol}
        </ZonedLink>
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-1.5 text-lg font-medium tracking-normal">
          <Before text={toRatingBefore(answer)} />
          <RatingMark code={data.rating} label={data.rating_label} className="min-w-0" />
        </span>
      </Heading>
      <p className="text-lg">
        <Before text={before === null ? null : formatPrediction(before)} />
        <span className="font-medium">{formatPrediction(data.prediction)}</span>{' '}
        <span className="text-sm text-ink-3">predicted</span>
      </p>
      <p className="flex flex-wrap gap-x-1.5">
        <ActionMark
          code={data.action}
          label={data.action_label}
          className="min-w-0 wrap-anywhere whitespace-normal!"
        />
        <span>
          by{' '}
          <ZonedLink prefetch={false} className="link" href={`/users/${data.user_id}`}>
            user {data.user_id}
          </ZonedLink>
        </span>
        <span>
          <At seconds={data.created_at} asOf={meta.as_of} />
        </span>
      </p>
    </header>
  )
}

function Before({ text }: { text: string | null }) {
  if (text === null) return null
  return (
    <span className="font-normal text-ink-3">
      {text} <span aria-hidden>→</span>
      <span className="sr-only">to</span>{' '}
    </span>
  )
}
