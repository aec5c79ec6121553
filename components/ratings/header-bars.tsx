'use client'

import { useMemo, useRef } from 'react'
import { classNames } from '#components/ui/class-names.ts'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { type HeaderBins, toHeaderBins, toHeaderStack } from './header-bins.ts'
import type { ChangeQuery, QueryProps } from './query-change.ts'
import { SpanBars } from './span-bars.tsx'
import { useLater } from './use-later.ts'
import { useSame } from './use-same.ts'

type HeaderBarsProps = QueryProps & { facets: Facets | undefined; column: string }

const BAR_PX: Readonly<Record<string, number>> = { rating: 12, prediction: 4, created_at: 4 }
const HEIGHT_PX = 20

/** Does the column show its distribution? */
export const hasHeaderBars = (column: string): boolean => column in BAR_PX

/** The distribution of a column above its name, for the eye and the pointer: the filters beside it do the same. */
export function HeaderBars({ column, query, change, facets }: HeaderBarsProps) {
  const header = useSame(facets ? toHeaderBins(column, query, facets) : null)
  return header && <Strip header={header} change={change} />
}

const loadControl = async () => (await import('./header-control.tsx')).HeaderControl

function Strip({ header, change }: { header: HeaderBins; change: ChangeQuery }) {
  const track = useRef<HTMLDivElement>(null)
  const Control = useLater(loadControl)
  const { bars, chosen } = useMemo(() => toHeaderStack(header), [header])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the focus where it is
    <span
      className={classNames(
        'block max-w-full border-b border-line-2',
        header.column === 'prediction' && 'ml-auto',
      )}
      style={{ width: bars.length * (BAR_PX[header.column] ?? 0) }}
      // The pointer must not leave the focus on what a screen reader cannot see.
      onMouseDown={(event) => event.preventDefault()}
    >
      <SpanBars track={track} bars={bars} chosen={chosen} heightPx={HEIGHT_PX}>
        {Control && <Control track={track} header={header} change={change} />}
      </SpanBars>
    </span>
  )
}
