'use client'

import { useRouter } from 'next/navigation'
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useState } from 'react'
import { useWidth } from '#components/charts/use-width.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { toRatingHref } from '#components/sheet/rating-address.ts'
import type { Extent } from '#components/symbols/ranges.ts'
import { toSymbolHref } from '#components/symbols/symbol-address.ts'
import { useOutlook } from '#components/time/zone.tsx'
import { ZonedLink } from '#components/time/zoned-link.tsx'
import { LiveRegion } from '#components/ui/live-region.tsx'
import type { Calls } from '#lib/contract/answers/user-record.ts'
import { CallReading } from './call-reading.tsx'
import { toCallText } from './call-texts.ts'
import { CallsDrawing } from './calls-drawing.tsx'
import { pressCallKey } from './calls-keys.ts'
import { type CallRow, type PlacedCall, placeCalls, selectCallAt } from './calls-layout.ts'
import { AXIS_PX, ROW_PX } from './calls-sizes.ts'

/** What the drawing is placed for before it was measured. */
const WIDTH_PX = 800

type CallsChartProps = {
  calls: Calls
  extent: Extent
  name: string
  /** Whether calls and symbols lead to their pages. In the frame of another page nothing does. */
  leads: boolean
}

/** One row a symbol, one segment a call. Arrow keys move between them, Enter opens the rating. */
export function CallsChart({ calls, extent, name, leads }: CallsChartProps) {
  const [ref, measured] = useWidth()
  const router = useRouter()
  const formats = useFormats()
  const outlook = useOutlook()
  const [chosen, setChosen] = useState<number | null>(null)
  const [spoken, setSpoken] = useState('')
  const widthPx = measured || WIDTH_PX
  const rows = placeCalls(calls, extent, widthPx)
  const current = rows.flatMap((row) => row.calls).find(({ call }) => call.id === chosen) ?? null
  const open = ({ call }: PlacedCall) => {
    if (leads) router.push(toRatingHref(call.id, outlook))
  }
  const at = ({ clientX, clientY, currentTarget }: MouseEvent) => {
    const box = currentTarget.getBoundingClientRect()
    const row = rows[Math.floor((clientY - box.top - AXIS_PX) / ROW_PX)]
    return selectCallAt(row, clientX - box.left, box.width)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Enter' && current) return open(current)
    if (event.key === 'Escape') return setChosen(null)
    const next = pressCallKey(rows, current, event.key)
    if (next === null) return
    event.preventDefault()
    setChosen(next.call.id)
    setSpoken(toCallText(next.symbol, next.call, { zone: outlook.tz, formats }))
  }
  const onClick = (event: MouseEvent) => {
    const hit = at(event)
    // By finger the first tap reads, the second opens: there is nothing to hover with.
    if (hit && hit.call.id === chosen) open(hit)
    else setChosen(hit?.call.id ?? null)
  }
  const onPointerMove = (event: PointerEvent) => {
    if (event.pointerType !== 'touch') setChosen(at(event)?.call.id ?? null)
  }
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <CallReading leads={leads} placed={current} />
      <div className="flex min-w-0" data-pane>
        <RowNames leads={leads} rows={rows} />
        <div
          ref={ref}
          aria-label={`${name}: arrow keys move between calls${leads ? ', Enter opens the rating' : ''}`}
          className="min-w-0 grow rounded-sm"
          onClick={onClick}
          onKeyDown={onKeyDown}
          onPointerLeave={() => setChosen(null)}
          onPointerMove={onPointerMove}
          role="application"
          style={{ cursor: current && leads ? 'pointer' : undefined }}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move between the calls
          tabIndex={0}
        >
          <CallsDrawing chosen={current} extent={extent} rows={rows} widthPx={widthPx} />
        </div>
      </div>
      <LiveRegion message={spoken} />
    </div>
  )
}

const NAME_CLASSES = 'truncate pr-2 text-sm leading-5 font-medium'

/** The symbols beside their rows. */
const RowNames = ({ rows, leads }: { rows: readonly CallRow[]; leads: boolean }) => (
  <ul
    aria-label="Symbols of the rows"
    className="w-16 shrink-0 sm:w-20"
    style={{ paddingTop: AXIS_PX }}
  >
    {rows.map(({ symbol }) => (
      <li key={symbol} className="flex items-end" style={{ height: ROW_PX }}>
        {leads ? (
          <ZonedLink className={`${NAME_CLASSES} hover:underline`} href={toSymbolHref(symbol)}>
            {symbol}
          </ZonedLink>
        ) : (
          <span className={NAME_CLASSES}>{symbol}</span>
        )}
      </li>
    ))}
  </ul>
)
