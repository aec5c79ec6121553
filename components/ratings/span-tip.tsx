'use client'

import { Fragment, type RefObject, useLayoutEffect, useRef } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { RatingGlyph } from '#components/marks/rating-marks.tsx'
import type { SpanTip } from './span-model.ts'

type SpanTipBoxProps = {
  track: RefObject<HTMLElement | null>
  /** Along the track, a share of its width. */
  at: number
  tip: SpanTip
}

const GAP_PX = 12
const EDGE_PX = 8

/** What bars hold, near the pointer: for the eye, since the bars have names of their own. Nothing clips it. */
export function SpanTipBox({ track, at, tip }: SpanTipBoxProps) {
  const { formatCounted, formatCount } = useFormats()
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (box.current && track.current) place(box.current, track.current, at)
  })
  const parts = tip.parts?.filter(({ count }) => count > 0).reverse() ?? []
  return (
    <div
      ref={box}
      popover="manual"
      aria-hidden
      className="pointer-events-none fixed inset-auto top-0 left-0 m-0 rounded-md border border-line-2 bg-surface px-2.5 py-2 text-sm text-ink-2"
    >
      <p className="font-medium whitespace-nowrap text-ink">{tip.title}</p>
      {tip.count !== undefined && (
        <p className="whitespace-nowrap">{formatCounted(tip.count, 'rating')}</p>
      )}
      {parts.length > 0 && (
        <div className="mt-1 grid grid-cols-[auto_1fr_auto] gap-x-2 whitespace-nowrap">
          {parts.map(({ code, label, count }) => (
            <Fragment key={code}>
              <RatingGlyph code={code} className="self-center text-center" />
              <span>{label}</span>
              <span className="text-right text-ink">{formatCount(count)}</span>
            </Fragment>
          ))}
        </div>
      )}
      {tip.note && <p className="mt-1 max-w-48 text-xs text-ink-3">{tip.note}</p>}
    </div>
  )
}

/** Above the track where there is room, else below it; within the window. */
function place(box: HTMLElement, track: HTMLElement, at: number): void {
  if (!box.matches(':popover-open')) box.showPopover()
  const { left, top, bottom, width } = track.getBoundingClientRect()
  const own = box.getBoundingClientRect()
  const most = document.documentElement.clientWidth - own.width - EDGE_PX
  const x = Math.max(EDGE_PX, Math.min(most, left + at * width - own.width / 2))
  const above = top - own.height - GAP_PX
  const y = above >= EDGE_PX ? above : bottom + GAP_PX
  box.style.translate = `${Math.round(x)}px ${Math.round(y)}px`
}
