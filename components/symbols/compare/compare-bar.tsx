'use client'

import { formatCounted } from '#components/format/numbers.ts'
import type { Selection } from '#components/list/use-list-table.ts'
import { toCompareHref } from '#components/symbols/series-view.ts'
import { useAsOfHref } from '#components/time/as-of.tsx'
import { Button, ButtonLink } from '#components/ui/button.tsx'
import { LiveRegion } from '#components/ui/messages.tsx'
import { toVisibleText } from '#lib/contract/visible-text.ts'

/** `asof`: seconds since 1970; null is now. */
type CompareBarProps = { selection: Selection; asof: number | null }

export function CompareBar({ selection: { selected, most, select }, asof }: CompareBarProps) {
  const withAsOf = useAsOfHref()
  const count = formatCounted(selected.length, 'symbol')
  const names = selected.map(toVisibleText)
  const isFull = selected.length >= most
  return (
    <div className="sticky bottom-(--below) z-20 -mt-3 h-0">
      {selected.length > 0 && (
        <div className="pointer-events-none absolute inset-x-0 bottom-2 flex justify-center">
          <section
            aria-label="Selection"
            className="pointer-events-auto flex max-w-full flex-wrap items-center justify-center gap-x-2 gap-y-1 rounded-lg border border-line-2 bg-surface py-1 pr-1 pl-3"
          >
            <span className="min-w-0 wrap-anywhere text-ink-2" title={names.join(', ')}>
              {names.length === 1 ? `${names[0]}: tick another to compare` : toNames(names)}
              {isFull && <span className="text-ink-3">, no more than {most}</span>}
            </span>
            {selected.length > 1 && (
              <ButtonLink
                variant="solid"
                size="small"
                href={withAsOf(toCompareHref(selected, asof))}
              >
                Compare {count}
              </ButtonLink>
            )}
            <Button variant="quiet" size="small" onClick={() => select([])}>
              Clear<span className="sr-only"> the selection</span>
            </Button>
          </section>
        </div>
      )}
      <LiveRegion message={selected.length === 0 ? '' : `${count} selected`} />
    </div>
  )
}

const NAMED = 3

const toNames = (selected: readonly string[]) =>
  selected.length <= NAMED
    ? selected.join(', ')
    : `${selected.slice(0, NAMED - 1).join(', ')} and ${selected.length - NAMED + 1} more`
