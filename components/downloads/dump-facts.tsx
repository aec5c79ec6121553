'use client'

import {
  formatCountdown,
  formatEastern,
  formatEdition,
  formatInZone,
} from '#components/format/instant.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { InstantButton, ZonedInstant } from '#components/time/instant.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { type Fact, Facts } from '#components/ui/facts.tsx'
import { ShortHash } from '#components/ui/short-hash.tsx'
import { useLocalZone, useNow } from '#components/ui/use-now.ts'
import type { Dump, Edition } from '#lib/contract/answers/status.ts'

/** What is known of a dump. `serverNow` is the server's clock, in seconds since 1970. */
export function DumpFacts({ dump, serverNow }: { dump: Dump; serverNow: number | null }) {
  const { formatBytes, formatCount, formatCounted } = useFormats()
  const next: Fact = {
    term: 'Next',
    detail: <NextEdition at={dump.next_due_at} serverNow={serverNow} />,
  }
  const { edition } = dump
  if (!edition) {
    return (
      <Facts
        rows={[
          { term: 'Edition', detail: 'none kept here yet' },
          next,
          {
            term: 'Costs you',
            detail: `${formatCounted(dump.cost, 'request')}, for everybody who downloads it this week`,
          },
        ]}
      />
    )
  }
  return (
    <Facts
      rows={[
        { term: 'Edition', detail: formatEdition(edition.edition) },
        next,
        { term: 'Rows', detail: <RowCount edition={edition} changes={dump.changes} /> },
        {
          term: 'Size',
          detail: (
            <>
              {formatBytes(edition.bytes)}{' '}
              <span className="text-ink-3">{formatCount(edition.bytes)} bytes</span>
            </>
          ),
        },
        { term: 'SHA-256', detail: <Checksum edition={edition} /> },
        {
          term: 'Costs you',
          detail: (
            <>
              nothing
              <span className="block text-ink-3">
                kept here since <ZonedInstant seconds={edition.fetched_at} />
              </span>
            </>
          ),
        },
      ]}
    />
  )
}

type RowCountProps = { edition: Edition; changes: Dump['changes'] }

function RowCount({ edition, changes }: RowCountProps) {
  const { formatCount } = useFormats()
  const more = changes && changes.added - changes.gone
  return (
    <>
      {formatCount(edition.rows)}{' '}
      {more !== null && (
        <span className="text-ink-3">
          {more < 0 ? '−' : '+'}
          {formatCount(Math.abs(more))} since {formatEdition(changes?.against ?? '')}
        </span>
      )}
    </>
  )
}

function NextEdition({ at, serverNow }: { at: number; serverNow: number | null }) {
  const zone = useLocalZone()
  const now = useNow(serverNow ?? at)
  return (
    <>
      {serverNow !== null && at > now && `in ${formatCountdown(at, now)} · `}
      <InstantButton seconds={at}>{formatEastern(at)}</InstantButton>
      <span className="block text-ink-3">
        {formatInZone(at, zone ?? 'UTC')} {zone === null || zone === 'UTC' ? 'UTC' : `in ${zone}`}
      </span>
    </>
  )
}

const Checksum = ({ edition: { sha256 } }: { edition: Edition }) => (
  <span className="flex flex-wrap items-center gap-x-2">
    <ShortHash sha256={sha256} />
    <span className="text-ink-3">verified</span>
    <CopyButton text={sha256} what="SHA-256" className="-my-1 -ml-2" />
  </span>
)
