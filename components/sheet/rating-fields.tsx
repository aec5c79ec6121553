'use client'

import { useFormats } from '#components/format/use-formats.tsx'
import { toVisibleText } from '#components/status/visible-text.ts'
import type { RatingDetail } from '#lib/contract/answers/ratings.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { toExtraTexts } from './extra-text.ts'
import { Section } from './section.tsx'

type RatingFieldsProps = { rating: RatingDetail; heading: 'h2' | 'h3' }

/** The fields exactly as they came, by the specification's names, and those that it does not know. */
export function RatingFields({ rating, heading }: RatingFieldsProps) {
  const { formatCounted } = useFormats()
  const { rows, more } = toExtraTexts(rating.extra ?? {})
  return (
    <>
      <Section title="Fields as they came" as={heading}>
        <FieldList
          rows={RATING_FIELDS.map((name) => ({ key: name, name, text: toFieldText(rating[name]) }))}
        />
      </Section>
      {rows.length > 0 && (
        <Section
          title="Fields beyond the specification"
          detail={formatCounted(rows.length + more, 'field')}
          as={heading}
        >
          <FieldList rows={rows} />
          {more > 0 && <p className="text-ink-3">{more} more stand in the raw JSON.</p>}
        </Section>
      )}
    </>
  )
}

/** What cannot be seen is written out in `name`, so that two may look the same; `key` is the name that came. */
type Row = { key: string; name: string; text: string | null }

const toFieldText = (value: string | number | null): string | null =>
  value === null ? null : toVisibleText(String(value))

function FieldList({ rows }: { rows: readonly Row[] }) {
  return (
    <dl className="grid grid-cols-[minmax(7.5rem,max-content)_minmax(0,1fr)] gap-x-4 gap-y-0.5 font-mono text-sm">
      {rows.map(({ key, name, text }) => (
        <div key={key} className="col-span-2 grid grid-cols-subgrid">
          <dt className="max-w-40 text-ink-3 wrap-anywhere">{name}</dt>
          <dd className="min-w-0 whitespace-pre-wrap wrap-anywhere">
            {text === null ? <span className="text-ink-3">null</span> : <bdi>{text}</bdi>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
