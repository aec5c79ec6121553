'use client'

import { useFormats } from '#components/format/use-formats.tsx'
import { ZonedInstant } from '#components/time/instant.tsx'
import type { Status } from '#lib/contract/answers/state.ts'
import { toVisibleText } from './visible-text.ts'

/** What came and was no rating: how many, and the newest with their reason and the text as it came. */
export function Quarantine({ quarantine: { rows, latest } }: Pick<Status, 'quarantine'>) {
  const { formatCount, formatCounted } = useFormats()
  return (
    <section aria-labelledby="quarantine" className="rounded-lg border bg-surface p-5">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id="quarantine" className="text-base">
          Set aside
        </h2>
        <p className="text-ink-3">
          {rows === 0
            ? 'Everything that came was a rating.'
            : `${formatCounted(rows, 'row')} that no rating can be read from; nothing else is held up.`}
        </p>
      </div>
      {latest.length > 0 && (
        <ul className="mt-3">
          {latest.map(({ reason, raw, at }) => (
            <li key={`${at} ${raw}`} className="flex flex-col gap-1 border-t py-2.5 last:pb-0">
              <p className="flex flex-wrap justify-between gap-x-4">
                <span>{reason}</span>
                <ZonedInstant seconds={at} className="text-ink-3" />
              </p>
              <bdi
                dir="ltr"
                className="block rounded-md bg-sunk px-2.5 py-1.5 font-mono text-sm wrap-anywhere text-ink-2"
              >
                {toVisibleText(raw)}
              </bdi>
            </li>
          ))}
        </ul>
      )}
      {rows > latest.length && latest.length > 0 && (
        <p className="mt-2.5 border-t pt-2.5 text-ink-3">
          The newest {formatCount(latest.length)} are shown.
        </p>
      )}
    </section>
  )
}
