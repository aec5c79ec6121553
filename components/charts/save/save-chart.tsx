'use client'

import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ViewLinkRows } from '#components/export/view-links.tsx'
import { formatBytes, formatCounted } from '#components/format/numbers.ts'
import { Button } from '#components/ui/button.tsx'
import { CopyButton } from '#components/ui/copy.tsx'
import { Segmented } from '#components/ui/fields.tsx'
import { DotsIcon } from '#components/ui/icons.tsx'
import { LiveRegion, Notice } from '#components/ui/messages.tsx'
import { Popover, PopoverClose } from '#components/ui/popover.tsx'
import { saveFile } from '#components/ui/save-file.ts'
import { useSearchAction } from '#components/ui/search-actions.ts'
import { statusSummaryOptions } from '#lib/client/query-options.ts'
import { embedQuery } from '#lib/contract/api-queries.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { DEMO, toFileWord, toFittingName, toListWord } from '#lib/contract/export-name.ts'
import { toParams, toQueryText } from '#lib/contract/query-schema.ts'
import { toChartCsv } from './chart-csv.ts'
import type { ChartEmbed, ChartFacts, NamePart, SaveChartProps } from './chart-facts.ts'
import { toChartPng, toChartSvg } from './svg-export.ts'

/**
 * Saves elements with `data-pane` in the enclosing `<figure>`, without those with `data-unsaved`.
 */
export function SaveChart(props: SaveChartProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  useSearchAction({
    name: 'Save or embed the chart',
    detail: 'in the menu ⋯ of the chart',
    run: () => setOpen(true),
  })
  return (
    <div data-unsaved>
      <Popover
        label="Save chart"
        open={isOpen}
        onOpenChange={setOpen}
        className="flex w-92 flex-col gap-3 p-4 text-base"
        trigger={
          <Button ref={button} aria-label="More for this chart" size="small">
            <DotsIcon />
          </Button>
        }
      >
        <SaveChartPanel {...props} toFigure={() => button.current?.closest('figure') ?? null} />
      </Popover>
    </div>
  )
}

type SaveChartPanelProps = SaveChartProps & { toFigure: () => Element | null }

function SaveChartPanel({ toFacts, embed, links, toFigure }: SaveChartPanelProps) {
  const [result, setResult] = useState<SaveResult | null>(null)
  const isInvented = useQuery(statusSummaryOptions()).data?.service.invented ?? false
  const selectFacts = () => {
    const shown = toFacts()
    return shown && isInvented ? { ...shown, title: `${shown.title} (demo data, invented)` } : shown
  }
  const facts = selectFacts()
  const save = async (format: ChartFormat) => {
    const saved = selectFacts()
    if (saved === null) return
    const fileName = toChartFileName(saved.nameParts, format, isInvented)
    setResult(await saveFigure(toFigure(), saved, { format, fileName }))
  }
  return (
    <>
      <ViewLinkRows {...links}>
        <PopoverClose />
      </ViewLinkRows>
      <h2 className="border-t pt-3 font-semibold">Save chart</h2>
      <Choices isReady={facts !== null} onChoose={save} points={facts?.rows.length ?? 0} />
      <p className="text-sm text-ink-3">
        The chart as shown, with title, range, time zone, rule and source in the file. Times are in{' '}
        {facts?.zone ?? 'UTC'}.
      </p>
      <SaveReport result={result} />
      {embed && facts && <EmbedLines embed={embed} title={facts.title} />}
      <LiveRegion message={result?.state === 'saved' ? `Saved ${result.fileName}` : ''} />
    </>
  )
}

type ChoicesProps = { isReady: boolean; points: number; onChoose: (format: ChartFormat) => void }

function Choices({ isReady, points, onChoose }: ChoicesProps) {
  const details = {
    png: 'picture, 2×',
    svg: 'drawing',
    csv: isReady ? formatCounted(points, 'row') : 'the data',
  }
  return (
    <div className="grid grid-cols-3 gap-2">
      {CHART_FORMATS.map((format) => (
        <Button
          key={format}
          className="h-auto flex-col gap-0 py-2"
          disabled={!isReady}
          onClick={() => onChoose(format)}
          size="large"
        >
          <span className="sr-only">Save as </span>
          {format.toUpperCase()}
          <span className="text-xs font-normal text-ink-3">{details[format]}</span>
        </Button>
      ))}
    </div>
  )
}

function SaveReport({ result }: { result: SaveResult | null }) {
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
          Show the chart to save it as PNG or SVG. CSV contains the same data.
        </Notice>
      )
    case 'refused':
      return (
        <Notice
          title={`This browser could not create the ${result.format.toUpperCase()}`}
          tone="failure"
        >
          Nothing was saved.{' '}
          {result.format === 'png'
            ? 'SVG shows the same chart and opens in any browser.'
            : 'Try again.'}
        </Notice>
      )
    default:
      return null
  }
}

const CHART_FORMATS = ['png', 'svg', 'csv'] as const
type ChartFormat = (typeof CHART_FORMATS)[number]

type SaveResult =
  | { state: 'saved'; fileName: string; bytes: number }
  | { state: 'nothing-drawn' }
  | { state: 'refused'; format: ChartFormat }

async function saveFigure(
  figure: Element | null,
  facts: ChartFacts,
  { format, fileName }: { format: ChartFormat; fileName: string },
): Promise<SaveResult> {
  try {
    const file = await toFile(figure, facts, format)
    if (file === null) return { state: 'nothing-drawn' }
    saveFile(file, fileName)
    return { state: 'saved', fileName, bytes: file.size }
  } catch {
    return { state: 'refused', format }
  }
}

async function toFile(figure: Element | null, facts: ChartFacts, format: ChartFormat) {
  const { host } = window.location
  if (format === 'csv') {
    return new Blob([toChartCsv(facts, host)], { type: 'text/csv;charset=utf-8' })
  }
  const drawing = figure && toChartSvg(figure, facts, host)
  if (!drawing) return null
  if (format === 'png') return await toChartPng(drawing)
  return new Blob(['<?xml version="1.0" encoding="UTF-8"?>\n', drawing.markup, '\n'], {
    type: 'image/svg+xml',
  })
}

/**
 * For example `bellwether_AAPL_2024-01-01_2024-08-02_week.svg`; safe for file systems and shells.
 */
export const toChartFileName = (
  parts: readonly NamePart[],
  ending: string,
  isInvented = false,
): string =>
  toFittingName(
    ['bellwether'],
    parts.map((part) => (typeof part === 'string' ? toFileWord(part) : toListWord(part))),
    { tail: isInvented ? [DEMO] : [], ending, toMore: () => '' },
  )

type EmbedLinesProps = {
  embed: ChartEmbed
  title: string
}

const EMBED_THEMES = [
  { value: 'auto', label: 'Auto' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const
type EmbedTheme = (typeof EMBED_THEMES)[number]['value']

function EmbedLines({ embed, title }: EmbedLinesProps) {
  const [theme, setTheme] = useState<EmbedTheme>('auto')
  const { origin, hostname } = window.location
  const snippet = toEmbedSnippet(embed, { title, origin, theme })
  return (
    <details className="border-t pt-3">
      <summary className="cursor-pointer font-medium text-ink-2 hover:text-ink">
        Embed in another page
      </summary>
      <div className="flex flex-col gap-2 pt-2">
        <div className="flex items-center justify-between gap-2">
          <Segmented label="Theme" onChange={setTheme} options={EMBED_THEMES} value={theme} />
          <CopyButton text={snippet} what="embed line" />
        </div>
        <code className="block rounded-md bg-sunk px-3 py-2 font-mono text-sm wrap-anywhere select-all">
          {snippet}
        </code>
        <p className="text-sm text-ink-3">
          Always shows current data.{' '}
          {theme === 'auto' ? 'Follows the reader’s light or dark setting.' : `Always ${theme}.`}{' '}
          Readers need to reach this dashboard.
          {isNearHost(hostname) &&
            ` ${hostname} cannot be reached from outside this machine or network.`}
        </p>
      </div>
    </details>
  )
}

type SnippetOptions = {
  title: string
  origin: string
  theme?: EmbedTheme
}

export function toEmbedSnippet(embed: ChartEmbed, options: SnippetOptions): string {
  const { title, origin, theme = 'auto' } = options
  const params = toParams(embedQuery, { theme }, embed.params)
  const address = `${origin}${withBase(embed.path)}${toQueryText(params)}`
  return `<iframe src="${toAttribute(address)}" title="${toAttribute(title)}" width="100%" height="${embed.height}" loading="lazy" style="border:0"></iframe>`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '"': '&quot;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;',
}

const toAttribute = (text: string): string =>
  text.replace(/[&"'<>]/g, (sign) => ENTITIES[sign] ?? sign)

const NEAR =
  /^(?:localhost|.*\.(?:localhost|local|lan|internal|home)|127\..*|10\..*|192\.168\..*|172\.(?:1[6-9]|2\d|3[01])\..*|\[::1\]|\[f[cde].*)$/i

export const isNearHost = (host: string): boolean => NEAR.test(host) || !/[.:]/.test(host)
