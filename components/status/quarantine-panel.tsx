'use client'

import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useZonedAddress } from '#components/address/use-zoned-address.ts'
import { FailureNotice } from '#components/answer/failure-notice.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import { ZonedInstant } from '#components/time/instant.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Pager } from '#components/ui/pager.tsx'
import { Select } from '#components/ui/select.tsx'
import { Skeleton } from '#components/ui/skeleton.tsx'
import { quarantineOptions } from '#lib/client/query-options.ts'
import type { QuarantinePage } from '#lib/contract/answers/quarantine.ts'
import { StatusPanel } from './panel-frame.tsx'
import { toQuarantineParams } from './quarantine-params.ts'
import { toVisibleText } from './visible-text.ts'

/** What came and was no rating: why, and the text as it came, all of it. `rows`: how many there are. */
export function QuarantinePanel({ rows }: { rows: number }) {
  const { formatCounted } = useFormats()
  return (
    <StatusPanel
      id="quarantine"
      title="Set aside"
      detail={
        rows === 0
          ? 'Everything that came was a rating.'
          : `${formatCounted(rows, 'row')} that no rating can be read from; nothing else is held up.`
      }
      action={
        rows > 0 && (
          <ButtonLink size="small" href="/api/quarantine.ndjson" download>
            Download<span className="sr-only"> what was set aside</span>
          </ButtonLink>
        )
      }
    >
      {rows > 0 && <QuarantineRows />}
    </StatusPanel>
  )
}

function QuarantineRows() {
  const { params, write } = useZonedAddress()
  const asked = useMemo(() => toQuarantineParams(params), [params])
  const answer = useQuery(quarantineOptions(asked))
  const go = (change: { reason?: string; page?: number }) =>
    write(toQuarantineParams(params, change), 'push')
  if (answer.isError && !answer.data) {
    return (
      <FailureNotice
        what="What was set aside"
        error={answer.error}
        onRetry={() => void answer.refetch()}
      />
    )
  }
  if (!answer.data) return <Skeleton height={160} />
  const { data, page } = answer.data
  return (
    <>
      <Reasons
        reasons={data.reasons}
        chosen={asked.get('reason')}
        onChoose={(reason) => go({ reason })}
      />
      <ul
        aria-label="Rows set aside"
        className={classNames('flex flex-col', answer.isPlaceholderData && 'opacity-60')}
      >
        {data.rows.map(({ reason, raw, at, source }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same text may have come twice, and rows hold no state
          <li key={index} className="flex flex-col gap-1 border-t py-2.5 last:pb-0">
            <p className="flex flex-wrap justify-between gap-x-4">
              <span>{reason}</span>
              <span className="text-ink-3">
                {source} · <ZonedInstant seconds={at} />
              </span>
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
      {page.pages > 1 && <Pager {...page} onPage={(number) => go({ page: number })} />}
    </>
  )
}

type ReasonsProps = {
  reasons: QuarantinePage['data']['reasons']
  /** null is all of them. */
  chosen: string | null
  onChoose: (reason: string) => void
}

/** Nothing to choose where there is one reason only. */
function Reasons({ reasons, chosen, onChoose }: ReasonsProps) {
  const { formatCount } = useFormats()
  if (reasons.length < 2 && chosen === null) return null
  const all = reasons.reduce((sum, { count }) => sum + count, 0)
  const options = [
    { value: '', label: `Every reason (${formatCount(all)})` },
    ...reasons.map(({ reason, count }) => ({
      value: reason,
      label: `${reason} (${formatCount(count)})`,
    })),
  ]
  return (
    <Select
      label="Reason"
      className="max-w-full"
      options={options}
      value={chosen ?? ''}
      onChange={({ target }) => onChoose(target.value)}
    />
  )
}
