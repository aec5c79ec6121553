import type { DrawnAttention } from '#components/charts/chart-data.ts'
import { toEdges } from '#components/charts/time-axis.ts'
import type { Attention } from '#lib/contract/answers/lookups.ts'
import type { Series } from '#lib/contract/answers/opinion.ts'
import { seriesQuery } from '#lib/contract/api-queries.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { BUCKET_SECONDS } from './buckets.ts'

type Columns = Pick<Series, 'bucket'> & { points: readonly { t: number }[] }

const toColumnEdges = ({ bucket, points }: Columns): number[] =>
  toEdges(
    points.map(({ t }) => t),
    { bucket, bucketSeconds: BUCKET_SECONDS[bucket] },
  )

/** Look-ups cannot be requested by year. */
export function toAttentionParams(series: Columns, asof: number | null): URLSearchParams {
  const edges = toColumnEdges(series)
  return toParams(seriesQuery, {
    bucket: series.bucket === 'year' ? 'month' : series.bucket,
    from: edges.at(0) ?? 0,
    to: edges.at(-1) ?? 0,
    asof,
  })
}

const SOURCES_MAX = 4
const OTHERS = 'other sources'
const NOT_NAMED = 'source not named'

export function toDrawnAttention(
  { known_from: knownFrom, known_to: knownTo, points, ...answer }: Attention,
  series: Columns,
): DrawnAttention {
  const edges = toColumnEdges(series)
  const isAll = answer.sources.length <= SOURCES_MAX
  const named = isAll ? answer.sources : answer.sources.slice(0, SOURCES_MAX - 1)
  const columns = series.points.map((_, index) => {
    const [from, to] = [edges[index] ?? 0, edges[index + 1] ?? 0]
    if (knownFrom === null || knownTo === null || to <= knownFrom || from >= knownTo) return null
    const own = points.filter(({ t }) => t >= from && t < to)
    const total = own.reduce((sum, { lookups }) => sum + lookups, 0)
    const bySource = named.map((source) =>
      own.reduce((sum, point) => sum + (point.by_source[source] ?? 0), 0),
    )
    return { total, bySource: [...bySource, total - bySource.reduce((sum, n) => sum + n, 0)] }
  })
  const hasRest = columns.some((column) => (column?.bySource.at(-1) ?? 0) > 0)
  return {
    sources: hasRest ? [...named, isAll ? NOT_NAMED : OTHERS] : named,
    columns: hasRest
      ? columns
      : columns.map((column) => column && { ...column, bySource: column.bySource.slice(0, -1) }),
    knownFrom,
    knownTo,
  }
}
