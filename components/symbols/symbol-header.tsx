'use client'

import type { Formats } from '#components/format/formats.ts'
import { formatRelative } from '#components/format/relative.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { ZonedDay, ZonedInstant } from '#components/time/instant.tsx'
import { useZonedHref } from '#components/time/zoned-link.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { type Stat, StatStrip } from '#components/ui/stat-strip.tsx'
import { useNow } from '#components/ui/use-now.ts'
import type { AggregateAnswer } from '#lib/contract/answers/symbols.ts'
import { toSymbolRatingsHref } from './symbol-address.ts'

/** A symbol's name, where its data come from, and its headline figures. */
export function SymbolHeader({ answer }: { answer: AggregateAnswer }) {
  const { data, meta } = answer
  const now = useNow(meta.as_of)
  const formats = useFormats()
  const { formatCounted } = formats
  const ratings = formatCounted(meta.ratings, 'rating')
  const users = formatCounted(meta.users, 'user')
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="text-2xl wrap-anywhere">{data.symbol}</h1>
        <p className="text-ink-3">
          {ratings} by {users} since <ZonedDay seconds={meta.first_created_at} />
        </p>
        <ButtonLink
          className="sm:ml-auto"
          href={useZonedHref()(toSymbolRatingsHref(data.symbol))}
          variant="solid"
        >
          Its ratings
        </ButtonLink>
      </div>
      <StatStrip stats={toStats(answer, now, formats)} />
    </>
  )
}

function toStats({ data, meta }: AggregateAnswer, now: number, formats: Formats): Stat[] {
  const { formatConsensus, formatCount, formatMeanPrediction } = formats
  const active = formatCount(Number(data.total))
  const ofActive = data.avg_rating === null ? 'every rating has expired' : `of ${active} active`
  return [
    { term: 'Consensus, 1–5', figure: formatConsensus(data.avg_rating), detail: ofActive },
    {
      term: 'Mean prediction',
      figure: formatMeanPrediction(data.avg_prediction),
      detail: data.avg_prediction === null ? undefined : ofActive,
    },
    { term: 'Active', figure: active, detail: `of ${formatCount(meta.ratings)} ever posted` },
    {
      term: 'Last rated',
      figure: formatRelative(meta.last_created_at, now),
      detail: <ZonedInstant seconds={meta.last_created_at} />,
    },
  ]
}
