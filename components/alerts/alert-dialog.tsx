'use client'

import { useQuery } from '@tanstack/react-query'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { alertsOptions } from '#lib/client/alerts.ts'
import { AlertForm } from './alert-form.tsx'
import type { AlertStart } from './alert-rule-fields.ts'

type AlertDialogProps = {
  /** Chosen when the dialog opens. */
  initial?: AlertStart
  /** Saved views. */
  views?: readonly AlertStart[]
  onClose: () => void
}

const FORM_HEIGHT = 260

/** Requires the `manage` permission. */
export function AlertDialog({ initial, views = [], onClose }: AlertDialogProps) {
  const alerts = useQuery(alertsOptions())
  const report = alerts.data?.data
  return (
    <Dialog title="New alert" onClose={onClose}>
      {alerts.isError && !report && (
        <FailureNotice
          className="m-4"
          what="The webhooks"
          error={alerts.error}
          onRetry={() => void alerts.refetch()}
        />
      )}
      {alerts.isPending && <Skeleton height={FORM_HEIGHT} className="m-4" />}
      {report && (
        <AlertForm report={report} views={views} onDone={onClose} {...(initial && { initial })} />
      )}
    </Dialog>
  )
}
