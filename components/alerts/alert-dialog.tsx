'use client'

import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { FailureNotice } from '#components/feedback/failure-notice.tsx'
import { Button } from '#components/ui/button.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { ModalDialog } from '#components/ui/overlays.tsx'
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
  const dialog = useRef<HTMLDialogElement>(null)
  const alerts = useQuery(alertsOptions())
  const report = alerts.data?.data
  const close = () => dialog.current?.close()
  return (
    <ModalDialog
      ref={dialog}
      aria-labelledby="alert-dialog"
      onClose={onClose}
      className="m-auto max-h-[min(92dvh,760px)] w-[min(560px,calc(100vw-24px))] rounded-lg border border-line-2 bg-paper text-ink backdrop:bg-black/40"
    >
      <div className="flex max-h-[inherit] flex-col">
        <div className="flex items-center gap-2 border-b px-4 py-3">
          <h2 id="alert-dialog" className="grow text-lg">
            New alert
          </h2>
          <Button variant="quiet" onClick={close}>
            Close
          </Button>
        </div>
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
          <AlertForm report={report} views={views} onDone={close} {...(initial && { initial })} />
        )}
      </div>
    </ModalDialog>
  )
}
