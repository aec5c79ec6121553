'use client'

import { useId, useState } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { Button } from '#components/ui/button.tsx'
import { LiveRegion, Notice } from '#components/ui/messages.tsx'
import { usePopover } from '#components/ui/use-popover.ts'
import { EmbedLines } from './embed-lines.tsx'
import type { SaveChartPanelProps } from './save-chart-props.ts'
import { CHART_FORMATS, type ChartFormat, type SaveResult, saveFigure } from './save-figure.ts'

/** The files that a chart can be saved as, and the lines that embed it. */
export function SaveChartPanel({ toFacts, embed, anchor, isOpen, onOpen }: SaveChartPanelProps) {
  const heading = useId()
  const popover = usePopover({ anchor, isOpen, onOpen })
  const [result, setResult] = useState<SaveResult | null>(null)
  const facts = isOpen ? toFacts() : null
  const save = async (format: ChartFormat) => {
    const saved = toFacts()
    if (saved === null) return
    setResult(await saveFigure(anchor.current?.closest('figure') ?? null, saved, format))
  }
  return (
    <>
      <div
        {...popover}
        aria-labelledby={heading}
        className="fixed inset-x-2 top-auto bottom-2 m-0 max-h-[calc(100dvh-1rem)] w-auto overflow-y-auto rounded-lg border border-line-2 bg-surface p-0 text-base text-ink sm:inset-x-auto sm:top-[max(0.5rem,min(var(--panel-top),100dvh-27rem))] sm:right-[min(var(--panel-right),100vw-24rem)] sm:bottom-auto sm:w-[23rem]"
        role="dialog"
      >
        <div className="flex flex-col gap-3 p-4">
          <div className="flex items-center justify-between gap-3">
            <h2 className="font-semibold" id={heading}>
              Save chart
            </h2>
            <Button
              aria-label="Close the menu"
              className="-my-1 -mr-2"
              onClick={() => onOpen(false)}
              size="small"
              variant="quiet"
            >
              ×
            </Button>
          </div>
          <Choices isReady={facts !== null} onChoose={save} points={facts?.rows.length ?? 0} />
          <p className="text-sm text-ink-3">
            What is displayed, with its title, range, zone, rule and source written into the file.
            Times in it are in {facts?.zone ?? 'UTC'}.
          </p>
          <SaveReport result={result} />
          {embed && facts && <EmbedLines asOf={facts.asOf} embed={embed} title={facts.title} />}
        </div>
      </div>
      <LiveRegion message={result?.state === 'saved' ? `Saved ${result.fileName}` : ''} />
    </>
  )
}

type ChoicesProps = { isReady: boolean; points: number; onChoose: (format: ChartFormat) => void }

function Choices({ isReady, points, onChoose }: ChoicesProps) {
  const { formatCounted } = useFormats()
  const details = {
    png: 'picture, 2×',
    svg: 'drawing',
    csv: isReady ? formatCounted(points, 'row') : 'the points',
  }
  return (
    <div className="grid grid-cols-3 gap-2">
      {CHART_FORMATS.map((format, index) => (
        <Button
          key={format}
          className="h-auto flex-col gap-0 py-2"
          data-first={index === 0 || undefined}
          disabled={!isReady}
          onClick={() => onChoose(format)}
          size="large"
        >
          {format.toUpperCase()}
          <span className="text-xs font-normal text-ink-3">{details[format]}</span>
        </Button>
      ))}
    </div>
  )
}

function SaveReport({ result }: { result: SaveResult | null }) {
  const { formatBytes } = useFormats()
  switch (result?.state) {
    case 'saved':
      return (
        <p className="text-sm text-ink-2">
          <span aria-hidden className="text-good">
            ✓{' '}
          </span>
          Saved <span className="font-mono wrap-anywhere text-ink">{result.fileName}</span>,{' '}
          {formatBytes(result.bytes)}.
        </p>
      )
    case 'nothing-drawn':
      return (
        <Notice title="No chart is displayed">
          Show the chart to save it as a picture or a drawing. CSV holds the same points.
        </Notice>
      )
    case 'refused':
      return (
        <Notice
          title={`This browser did not make the ${result.format.toUpperCase()}`}
          tone="failure"
        >
          Nothing was saved.{' '}
          {result.format === 'png' ? 'SVG shows the same, and any browser opens it.' : 'Try again.'}
        </Notice>
      )
    default:
      return null
  }
}
