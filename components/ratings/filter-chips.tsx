import { useFormats } from '#components/format/use-formats.tsx'
import { RatingGlyph } from '#components/marks/rating-marks.tsx'
import { Button } from '#components/ui/button.tsx'
import { type ChangeQuery, type QueryProps, withoutFilters } from './query-change.ts'
import { type Filter, selectChips } from './select-filters.ts'
import { toShortList } from './short-list.ts'

/** The filters that hold, each with the way to take it away; that the page is rewound, its banner says. */
export function FilterChips({ query, change }: QueryProps) {
  const filters = selectChips(query, useFormats())
  if (filters.length === 0) return null
  return (
    <ul className="flex min-w-0 flex-wrap items-center gap-1.5">
      {filters.map((filter) => (
        <li key={filter.key} className="min-w-0">
          <Chip
            filter={filter}
            codes={filter.name === 'rating' ? query.rating[filter.isNot ? 'not' : 'only'] : []}
            change={change}
          />
        </li>
      ))}
      <li>
        <Button variant="quiet" size="small" onClick={() => change(withoutFilters)}>
          Clear all
        </Button>
      </li>
    </ul>
  )
}

type ChipProps = { filter: Filter; codes: readonly number[]; change: ChangeQuery }

function Chip({ filter: { name: list, isNot, values, drop }, codes, change }: ChipProps) {
  const text = values.join(', ')
  const name = isNot ? `not ${list}` : list
  const glyphs = [...codes].sort((a, b) => a - b)
  return (
    <span className="flex h-[27px] max-w-[340px] items-center gap-1.5 rounded-md bg-accent-bg pl-2.5 text-sm">
      <span className="shrink-0 text-ink-2">{name}</span>
      <span className="truncate font-semibold text-ink" title={text}>
        {glyphs.length === 0
          ? toShortList(values)
          : values.map((value, index) => (
              <span key={value}>
                {index > 0 && ', '}
                {glyphs[index] !== undefined && (
                  <RatingGlyph code={glyphs[index]} className="mr-1" />
                )}
                {value}
              </span>
            ))}
      </span>
      <button
        type="button"
        className="h-full min-w-6 rounded-md text-ink-2 hover:text-ink"
        onClick={() => change(drop)}
      >
        <span aria-hidden>×</span>
        <span className="sr-only">
          Remove filter: {name} {text}
        </span>
      </button>
    </span>
  )
}
