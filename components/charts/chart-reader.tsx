'use client'

import { type KeyboardEvent, useEffect, useState } from 'react'
import type { PaneFrame, PointReading, Reading } from './chart-data.ts'
import { TITLE_HEIGHT, toReadingLeft, WIDE_ONLY } from './chart-sizes.ts'
import { toColumn, toSides } from './time-axis.ts'
import { NOWHERE, type Reader, ZoomOverlay, type ZoomOverlayProps } from './zoom-overlay.tsx'

type ChartReaderProps<Name extends string> = Pick<
  ZoomOverlayProps,
  'frame' | 'label' | 'onZoom'
> & {
  panes: readonly CrosshairPane<Name>[]
  describe: (index: number) => PointReading<Name>
  /** Ordered by time. */
  marks?: readonly MarkToOpen[]
  /** Duplicates of `marks` in another pane, skipped by the keyboard. */
  twins?: readonly MarkToOpen[]
  onOpen?: ((id: number) => void) | undefined
}

const SETTLED_MS = 200
const NO_MARKS: readonly MarkToOpen[] = []

/** Only this component renders while the pointer moves; the panes do not. */
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

export type CrosshairPane<Name extends string> = {
  name: Name
  subject: string
  top: number
  height: number
  toMarks: (index: number) => readonly { y: number; colour: string }[]
}

type CrosshairProps<Name extends string> = {
  frame: PaneFrame
  panes: readonly CrosshairPane<Name>[]
  index: number
  reading: PointReading<Name>
}

function Crosshair<Name extends string>(props: CrosshairProps<Name>) {
  const { frame, panes, index, reading } = props
  const [from, to] = toSides(frame, index)
  const x = Math.round((from + to) / 2)
  return (
    <div aria-hidden className="pointer-events-none absolute inset-0 overflow-hidden">
      {panes.map((pane, at) => (
        <div
          key={pane.name}
          className="absolute inset-x-0"
          style={{ top: pane.top, height: pane.height }}
        >
          <div
            className="absolute inset-y-0 left-0 border-l border-dashed border-edge"
            style={{ transform: `translateX(${x}px)` }}
          />
          {pane.toMarks(index).map(({ y, colour }) => (
            <span
              key={`${y} ${colour}`}
              className="absolute top-0 left-0 -mt-1 -ml-1 size-2 rounded-full border border-surface forced-color-adjust-none"
              style={{ background: colour, transform: `translate(${x}px, ${y}px)` }}
            />
          ))}
          <PaneReading
            left={toReadingLeft(frame)}
            lines={reading[pane.name]}
            when={at === 0 ? reading.when : null}
          />
        </div>
      ))}
    </div>
  )
}

type PaneReadingProps = { lines: readonly Reading[]; when: string | null; left: number }

const PaneReading = ({ lines, when, left }: PaneReadingProps) => (
  <p className="pane-reading" style={{ top: -TITLE_HEIGHT, height: TITLE_HEIGHT, left }}>
    {when !== null && <When text={when} />}
    {lines.map(({ name, text, glyph }) => (
      <span key={name}>
        {glyph ?? name} <b>{text}</b>
      </span>
    ))}
  </p>
)

function When({ text }: { text: string }) {
  const name = text.replace(BUCKET_END, '')
  return (
    <b>
      <span className={WIDE_ONLY}>{text.slice(0, text.length - name.length)}</span>
      {name}
    </b>
  )
}

const BUCKET_END = /^End of (?:the )?/

function toSpoken<Name extends string>(
  reading: PointReading<Name>,
  panes: readonly Pick<CrosshairPane<Name>, 'name' | 'subject'>[],
): string {
  const sentences = panes.map(({ name, subject }) => {
    const parts = reading[name].map((line) => `${line.name.toLowerCase()} ${line.text}`)
    return `${subject}: ${parts.join(', ')}`
  })
  return [reading.when, ...sentences].join('. ')
}

export type MarkToOpen = { id: number; x: number; y: number; text: string }

const REACH = 8

export function selectMark(
  marks: readonly MarkToOpen[],
  place: { x: number; y: number },
): MarkToOpen | null {
  let best: MarkToOpen | null = null
  let least = REACH
  for (const mark of marks) {
    const distance = Math.hypot(mark.x - place.x, mark.y - place.y)
    if (distance <= least) [best, least] = [mark, distance]
  }
  return best
}

type Step = { step: number; frame: PaneFrame; index: number | null }

/**
 * From a bucket, returns the first or last mark in or beyond it. Requires at least one mark,
 * ordered by time.
 */
export function nextMark(
  marks: readonly MarkToOpen[],
  from: MarkToOpen | null,
  { step, frame, index }: Step,
): { mark: MarkToOpen | null; column: number } {
  const columns = marks.map((mark) => toColumn(frame, mark.x))
  const found = from
    ? marks.findIndex(({ id }) => id === from.id) + step
    : toEntry(columns, index, step)
  const at = Math.max(0, Math.min(marks.length - 1, found))
  return { mark: marks[at] ?? null, column: columns[at] ?? 0 }
}

function toEntry(columns: readonly number[], index: number | null, step: number): number {
  if (index === null) return step > 0 ? 0 : columns.length - 1
  if (step < 0) return columns.findLastIndex((column) => column <= index)
  const entry = columns.findIndex((column) => column >= index)
  return entry < 0 ? columns.length - 1 : entry
}

function useSettled(text: string, waitMs: number): string {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text), waitMs)
    return () => window.clearTimeout(timer)
  }, [text, waitMs])
  return settled
}
