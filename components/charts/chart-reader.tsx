'use client'

import { type KeyboardEvent, useState } from 'react'
import { Crosshair, type CrosshairPane, toSpoken } from './crosshair.tsx'
import { type MarkToOpen, nextMark, selectMark } from './marks-to-open.ts'
import type { PointReading } from './pane-frame.ts'
import { NOWHERE, type Reader } from './reader-keys.ts'
import { useSettled } from './use-settled.ts'
import { ZoomOverlay, type ZoomOverlayProps } from './zoom-overlay.tsx'

type ChartReaderProps<Name extends string> = Pick<
  ZoomOverlayProps,
  'frame' | 'label' | 'onZoom'
> & {
  panes: readonly CrosshairPane<Name>[]
  /** The exact texts of the point at an index. */
  describe: (index: number) => PointReading<Name>
  /** What can be opened by a click, or chosen with the arrows up and down, in the order of time. */
  marks?: readonly MarkToOpen[]
  /** The same ones where they are drawn once more: pressed there too, but not chosen twice. */
  twins?: readonly MarkToOpen[]
  onOpen?: ((id: number) => void) | undefined
}

const SETTLED_MS = 200
const NO_MARKS: readonly MarkToOpen[] = []

/**
 * Reads a chart for its reader: crosshair, zoom, keys and what is announced, over all its panes. Only this is drawn
 * anew where the pointer moves; the panes below never are.
 */
export function ChartReader<Name extends string>(props: ChartReaderProps<Name>) {
  const { frame, label, panes, marks = NO_MARKS, twins = NO_MARKS, onZoom, onOpen } = props
  const [reader, setReader] = useState<Reader>(NOWHERE)
  const [mark, setMark] = useState<MarkToOpen | null>(null)
  const count = frame.edges.length - 1
  const index = reader.index === null ? null : Math.min(reader.index, count - 1)
  const reading = index === null ? null : props.describe(index)
  const spoken = useSettled(mark ? mark.text : reading ? toSpoken(reading, panes) : '', SETTLED_MS)
  const onOtherKey = (event: KeyboardEvent) => {
    if (!onOpen || marks.length === 0) return
    if (event.key === 'Enter' && mark) {
      event.preventDefault()
      onOpen(mark.id)
    }
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = nextMark(marks, mark, { step, frame, index })
    setMark(next.mark)
    setReader({ index: next.column, anchor: null })
  }
  return (
    <ZoomOverlay
      frame={frame}
      isOverMark={mark !== null}
      keysHint={marks.length > 0 ? 'Up and Down go from rating to rating, Enter opens it.' : ''}
      label={label}
      onOtherKey={onOtherKey}
      onPress={(place) => {
        const pressed = selectMark([...marks, ...twins], place)
        if (pressed) onOpen?.(pressed.id)
      }}
      onRead={(next, place) => {
        if (next.index !== reader.index || next.anchor !== reader.anchor) setReader(next)
        setMark(place && onOpen ? selectMark([...marks, ...twins], place) : null)
      }}
      onZoom={onZoom}
      reader={reader}
    >
      {index !== null && reading !== null && (
        <Crosshair frame={frame} index={index} panes={panes} reading={reading} />
      )}
      {mark !== null && <MarkRing mark={mark} width={frame.width} />}
      <p className="sr-only" role="status">
        {spoken}
      </p>
    </ZoomOverlay>
  )
}

/** A ring around what a click would open, and its text. */
function MarkRing({ mark, width }: { mark: MarkToOpen; width: number }) {
  const isLeft = mark.x > width / 2
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0 overflow-hidden">
      <span
        className="absolute top-0 left-0 -mt-[6px] -ml-[6px] size-3 rounded-full border-2 border-accent"
        style={{ transform: `translate(${mark.x}px, ${mark.y}px)` }}
      />
      <p
        className="absolute rounded-md border border-accent bg-surface px-2 py-0.5 text-xs whitespace-nowrap text-ink"
        style={{
          top: mark.y + 10,
          ...(isLeft ? { right: width - mark.x } : { left: mark.x }),
        }}
      >
        {mark.text}
      </p>
    </div>
  )
}
