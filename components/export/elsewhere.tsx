'use client'

import { CopyButton } from '#components/ui/copy.tsx'
import type { ExportChoice } from '#lib/contract/export-choice.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { isNearHost, toExportLines } from './export-lines.ts'

/** The same rows as lines to copy, with the address under which this page was reached. */
export function Elsewhere({ query, choice }: { query: RatingsQuery; choice: ExportChoice }) {
  const { origin, hostname } = window.location
  return (
    <details className="group border-t pt-3">
      <summary className="cursor-pointer font-medium text-ink-2 hover:text-ink">
        The same rows in curl, pandas, DuckDB, Google Sheets
      </summary>
      <ul className="flex flex-col gap-3 pt-3">
        {toExportLines(query, choice, origin).map(({ tool, text }) => (
          <li key={tool} className="flex flex-col gap-1">
            <div className="flex items-center justify-between">
              <span className="text-sm font-medium text-ink-2">{tool}</span>
              <CopyButton text={text} what={`${tool} line`} />
            </div>
            <code className="block rounded-md bg-sunk px-3 py-2 font-mono text-sm wrap-anywhere select-all">
              {text}
            </code>
            {tool === 'Google Sheets' && (
              <p className="text-sm text-ink-3">
                Google fetches this by itself, so it has to reach the address from outside
                {isNearHost(hostname) ? `, which ${hostname} does not allow.` : '.'}
              </p>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}
