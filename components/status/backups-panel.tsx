'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { formatRelative } from '#components/format/instants.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { useMay } from '#components/permissions/use-may.tsx'
import { InstantButton, ZonedInstant } from '#components/time/instant.tsx'
import { Button } from '#components/ui/button.tsx'
import { LiveRegion, Notice } from '#components/ui/messages.tsx'
import { Card } from '#components/ui/panels.tsx'
import { sendOperation } from '#lib/client/fetch-api.ts'
import { statusOptions } from '#lib/client/query-options.ts'
import type { BackupsReport } from '#lib/contract/answers/status.ts'
import { processOperations } from '#lib/contract/operations/commands.ts'

type BackupsPanelProps = {
  backups: BackupsReport
  /** Seconds since 1970, server's clock. */
  now: number
}

export function BackupsPanel({ backups, now }: BackupsPanelProps) {
  const makeNow = useBackupNow()
  const mayAsk = useMay('sync')
  const { formatBytes, formatCounted } = useFormats()
  const { kept, failure, is_running: isRunning } = backups
  return (
    <Card
      id="backups"
      title="Backups"
      detail={<Schedule backups={backups} now={now} />}
      action={
        mayAsk && (
          <Button
            size="small"
            onClick={() => makeNow.mutate()}
            disabled={makeNow.isPending || isRunning}
          >
            {isRunning ? 'Backing up…' : 'Back up now'}
          </Button>
        )
      }
    >
      {failure && (
        <Notice tone="failure" title="The last backup failed">
          <ZonedInstant seconds={failure.at} />: {failure.reason}
        </Notice>
      )}
      {makeNow.isError && (
        <Notice tone="failure" title="The backup could not be started">
          {makeNow.error.message}
        </Notice>
      )}
      {kept.length === 0 ? (
        <p className="text-ink-3">There is no backup yet.</p>
      ) : (
        <ul aria-label="Backups" className="flex flex-col">
          {kept.map(({ name, made_at, files, bytes }) => (
            <li
              key={name}
              className="flex flex-wrap justify-between gap-x-4 border-t py-2 first:border-t-0 first:pt-0 last:pb-0"
            >
              <ZonedInstant seconds={made_at} />
              <span className="text-ink-3">
                {formatBytes(bytes)} · {formatCounted(files, 'file')}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p className="text-sm wrap-anywhere text-ink-3">
        In <bdi>{backups.folder}</bdi>
      </p>
      <LiveRegion message={isRunning ? 'Backup in progress' : ''} />
    </Card>
  )
}

const Schedule = ({ backups: { every_hours, keep, next_at }, now }: BackupsPanelProps) => {
  const { formatCounted } = useFormats()
  const kept = `the newest ${keep === 1 ? 'one is' : `${keep} are`} kept`
  if (every_hours === null || next_at === null) return <>made on request; {kept}</>
  return (
    <>
      every {every_hours === 1 ? 'hour' : formatCounted(every_hours, 'hour')}, the next{' '}
      <InstantButton seconds={next_at}>
        {next_at > now ? formatRelative(next_at, now) : 'now'}
      </InstantButton>
      ; {kept}
    </>
  )
}

function useBackupNow() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => sendOperation(processOperations.requestBackup),
    onSettled: () => queryClient.invalidateQueries(statusOptions()),
  })
}
