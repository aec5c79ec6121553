import Link from 'next/link'
import type { RatingAnswer } from '#lib/contract/answers/ratings.ts'
import type { Outlook } from '#lib/contract/outlook.ts'
import { qualityLabel } from '#lib/contract/quality.ts'
import { toQualityText } from './quality-text.ts'
import { toQualityHref } from './rating-address.ts'

/** What about the rating contradicts itself or is hard to believe: a line each, with the way to all of that kind. */
export function RatingQuality({ answer, outlook }: { answer: RatingAnswer; outlook: Outlook }) {
  const { quality } = answer.data
  if (quality.length === 0) return null
  return (
    <ul aria-label="Data quality" className="flex flex-col gap-0.5">
      {quality.map((name) => (
        <li key={name} className="text-ink-2">
          <Link className="link" href={toQualityHref(name, outlook)} prefetch={false}>
            {qualityLabel(name)}
          </Link>
          : {toQualityText(name, answer)}
        </li>
      ))}
    </ul>
  )
}
