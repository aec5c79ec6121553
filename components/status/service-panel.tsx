'use client'

import { useFormats } from '#components/format/use-formats.tsx'
import { ZonedInstant } from '#components/time/instant.tsx'
import { type Fact, Facts } from '#components/ui/facts.tsx'
import type { Discovery, Status } from '#lib/contract/answers/status.ts'
import { toDiscoveryFacts } from './discovery-text.ts'
import { StatusPanel } from './panel-frame.tsx'

/** Who is asked, and how it turned out to list its ratings. */
export function ServicePanel({ service, discovery }: Pick<Status, 'service' | 'discovery'>) {
  const formats = useFormats()
  const facts: Fact[] = [
    {
      term: 'Service',
      detail: service.kind === 'embedded' ? 'embedded in this dashboard' : 'remote',
    },
    { term: 'Address', detail: <span className="font-mono text-sm">{service.address}</span> },
    ...(discovery ? toDiscoveryFacts(discovery, formats) : []),
  ]
  return (
    <StatusPanel
      id="service"
      title="How the service lists"
      detail={<LookedAt discovery={discovery} />}
    >
      <Facts rows={facts} />
    </StatusPanel>
  )
}

function LookedAt({ discovery }: { discovery: Discovery | null }) {
  if (!discovery || discovery.checked_at === null) return 'found out by reading it'
  return (
    <>
      found out by reading it, <ZonedInstant seconds={discovery.checked_at} />
    </>
  )
}
