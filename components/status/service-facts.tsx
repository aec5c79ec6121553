'use client'

import { formatEdition } from '#components/format/instant.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { ZonedInstant } from '#components/time/instant.tsx'
import { Facts } from '#components/ui/facts.tsx'
import { Meter } from '#components/ui/meter.tsx'
import type { Edition, Status } from '#lib/contract/answers/state.ts'

/** Who is asked, what may still be asked of it, and what was kept of its dumps. */
export function ServiceFacts({ status }: { status: Status }) {
  const { service, budget, editions } = status
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <section
        aria-labelledby="requests"
        className="flex flex-col gap-3.5 rounded-lg border bg-surface p-5"
      >
        <h2 id="requests" className="text-base">
          Requests to the service
        </h2>
        <Meter label="This minute" {...budget.minute} />
        <Meter label="This month" {...budget.month} />
      </section>
      <section
        aria-labelledby="service"
        className="flex flex-col gap-3.5 rounded-lg border bg-surface p-5"
      >
        <h2 id="service" className="text-base">
          Service
        </h2>
        <Facts
          rows={[
            {
              term: 'Kind',
              detail: service.kind === 'embedded' ? 'embedded in this dashboard' : 'remote',
            },
            {
              term: 'Address',
              detail: <span className="font-mono text-sm">{service.address}</span>,
            },
            { term: 'Posts dump', detail: <EditionLine edition={editions.posts} /> },
            { term: 'Lookups dump', detail: <EditionLine edition={editions.lookups} /> },
          ]}
        />
      </section>
    </div>
  )
}

function EditionLine({ edition }: { edition: Edition | null }) {
  const { formatBytes, formatCounted } = useFormats()
  if (!edition) return <span className="text-ink-3">not fetched yet</span>
  return (
    <>
      {formatEdition(edition.edition)}
      <span className="block text-ink-3">
        {formatCounted(edition.rows, 'row')}, {formatBytes(edition.bytes)}, fetched{' '}
        <ZonedInstant seconds={edition.fetched_at} />
      </span>
    </>
  )
}
