'use client'

import type { PaneFrame, PaneName, PointReading } from './pane-frame.ts'

type PaneReadingProps = { frame: PaneFrame; name: PaneName; index: number | null }

/**
 * What a pane says of the bucket under the pointer. All panes say theirs at once, since they move together; the
 * first of them tells a screen reader the whole of it, and the others stay silent.
 */
export function PaneReading({ frame, name, index }: PaneReadingProps) {
  if (index === null || !frame.points[index]) return null
  const reading = frame.describe(index)
  const isFirst = name === 'consensus'
  return (
    <>
      {isFirst && (
        <p role="status" className="sr-only">
          {[reading.when, ...toSentences(reading)].join('. ')}
        </p>
      )}
      <div
        aria-hidden
        className="rounded-md border border-line-2 bg-surface px-2 py-1 text-xs whitespace-nowrap text-ink-2"
      >
        {isFirst && <p className="font-semibold text-ink">{reading.when}</p>}
        <dl className="grid grid-cols-[auto_auto] gap-x-2">
          {reading[name].map((line) => (
            <div key={line.name} className="contents">
              <dt>{line.name}</dt>
              <dd className="text-right font-medium text-ink">{line.text}</dd>
            </div>
          ))}
        </dl>
      </div>
    </>
  )
}

const SUBJECTS: readonly [PaneName, string][] = [
  ['consensus', 'Rating'],
  ['prediction', 'Prediction'],
  ['counts', 'Number'],
]

/** The panes' titles are not read with their values, so each sentence names its subject. */
const toSentences = (reading: PointReading) =>
  SUBJECTS.map(([name, subject]) => {
    const parts = reading[name].map((line) => `${line.name.toLowerCase()} ${line.text}`)
    return `${subject}: ${parts.join(', ')}`
  })
