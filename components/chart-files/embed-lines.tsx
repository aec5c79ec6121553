'use client'

import { useState } from 'react'
import { isNearHost } from '#components/export/export-lines.ts'
import { formatUtc } from '#components/format/instants.ts'
import { CopyButton } from '#components/ui/copy.tsx'
import { Segmented } from '#components/ui/fields.tsx'
import type { ChartEmbed } from './chart-facts.ts'
import { toEmbedSnippet } from './embed-snippet.ts'

type EmbedLinesProps = {
  embed: ChartEmbed
  title: string
  /** The instant (seconds since 1970) that the chart stands on. */
  asOf: number
}

const CHOICES = [
  { value: 'live', label: 'Live' },
  { value: 'frozen', label: 'Frozen' },
] as const

/** The line that shows the same chart on another page: as it is then, or as it is now. */
export function EmbedLines({ embed, title, asOf }: EmbedLinesProps) {
  const isRewound = embed.params.has('asof')
  const [chosen, setChosen] = useState<'live' | 'frozen'>('live')
  const kind = isRewound ? 'frozen' : chosen
  const { origin, hostname } = window.location
  const snippet = toEmbedSnippet(embed, {
    title,
    origin,
    asOf: kind === 'frozen' && !isRewound ? asOf : null,
  })
  return (
    <details className="border-t pt-3">
      <summary className="cursor-pointer font-medium text-ink-2 hover:text-ink">
        Embed in another page
      </summary>
      <div className="flex flex-col gap-2 pt-2">
        <div className="flex items-center justify-between gap-2">
          {isRewound ? (
            <span className="text-ink-2">Frozen, as this page is</span>
          ) : (
            <Segmented label="What it shows" onChange={setChosen} options={CHOICES} value={kind} />
          )}
          <CopyButton text={snippet} what="embed line" />
        </div>
        <code className="block rounded-md bg-sunk px-3 py-2 font-mono text-sm wrap-anywhere select-all">
          {snippet}
        </code>
        <p className="text-sm text-ink-3">
          {kind === 'live'
            ? 'Shows this chart as it is whenever the page is opened.'
            : `Shows this chart as of ${formatUtc(asOf)}, always. Votes are as last seen.`}{' '}
          Readers need to reach this dashboard
          {isNearHost(hostname) ? `, which ${hostname} does not allow from outside.` : '.'}
        </p>
      </div>
    </details>
  )
}
