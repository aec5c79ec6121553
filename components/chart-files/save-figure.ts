import { saveFile } from '#components/ui/save-file.ts'
import type { ChartFacts } from './chart-facts.ts'
import { toChartFileName } from './chart-name.ts'
import { toChartPng } from './chart-png.ts'
import { toChartSvg } from './chart-svg.ts'

export const CHART_FORMATS = ['png', 'svg', 'csv'] as const
export type ChartFormat = (typeof CHART_FORMATS)[number]

/** How saving ended: the file's name and size, nothing drawn that could be saved, or a browser that does not do it. */
export type SaveResult =
  | { state: 'saved'; fileName: string; bytes: number }
  | { state: 'nothing-drawn' }
  | { state: 'refused'; format: ChartFormat }

/** Saves what a figure displays. Whatever the browser refuses, nothing is saved then. */
export async function saveFigure(
  figure: Element | null,
  facts: ChartFacts,
  format: ChartFormat,
): Promise<SaveResult> {
  try {
    const file = await toFile(figure, facts, format)
    if (file === null) return { state: 'nothing-drawn' }
    const fileName = toChartFileName(facts.nameParts, format)
    saveFile(file, fileName)
    return { state: 'saved', fileName, bytes: file.size }
  } catch {
    return { state: 'refused', format }
  }
}

async function toFile(figure: Element | null, facts: ChartFacts, format: ChartFormat) {
  const { host } = window.location
  if (format === 'csv') {
    const { toChartCsv } = await import('./chart-csv.ts')
    return new Blob([toChartCsv(facts, host)], { type: 'text/csv;charset=utf-8' })
  }
  const drawing = figure && toChartSvg(figure, facts, host)
  if (!drawing) return null
  if (format === 'png') return await toChartPng(drawing)
  return new Blob(['<?xml version="1.0" encoding="UTF-8"?>\n', drawing.markup, '\n'], {
    type: 'image/svg+xml',
  })
}
