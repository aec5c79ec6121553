import { useFormats } from '#components/format/use-formats.tsx'
import { Button } from '#components/ui/button.tsx'
import { ProgressBar } from '#components/ui/loading.tsx'
import { Notice } from '#components/ui/messages.tsx'
import type { Progress } from './receive-export.ts'
import type { ExportState } from './use-export.ts'

/** How an export goes, or how it ended. */
export function ExportReport({ state, onCancel }: { state: ExportState; onCancel: () => void }) {
  const { formatBytes, formatCount, formatCounted } = useFormats()
  switch (state.phase) {
    case 'idle':
      return null
    case 'running':
      return (
        <div className="flex items-end gap-3">
          <ProgressBar
            className="min-w-0 grow"
            label={state.progress ? 'Exporting' : 'Waiting for the first rows'}
            done={toShare(state) ?? 0}
            total={toShare(state) === null ? null : 1}
            detail={state.progress ? toDetail(state.progress, { formatBytes, formatCount }) : ''}
          />
          <Button size="small" onClick={onCancel}>
            Cancel<span className="sr-only"> the export</span>
          </Button>
        </div>
      )
    case 'saved': {
      const { fileName, declared, bytes } = state.received
      return (
        <p className="text-sm text-ink-2">
          <span aria-hidden className="text-good">
            ✓{' '}
          </span>
          Saved <span className="font-mono wrap-anywhere text-ink">{fileName}</span>: all{' '}
          {formatCounted(declared.rows, 'row')}, {formatBytes(bytes)}.
        </p>
      )
    }
    case 'cancelled':
      return <p className="text-sm text-ink-2">Cancelled. Nothing was saved.</p>
    case 'cut-short':
      return (
        <Notice tone="failure" title="The export was cut short">
          {toDetail(state.progress, { formatBytes, formatCount })} came. Nothing was saved.
        </Notice>
      )
    case 'failed':
      return (
        <Notice tone="failure" title={state.message}>
          Nothing was saved.
        </Notice>
      )
  }
}

type Formats = Pick<ReturnType<typeof useFormats>, 'formatBytes' | 'formatCount'>

/** `12,288 of 100,000 rows · 1.8 MB`, or in bytes where rows are not told. */
function toDetail({ rows, bytes, declared }: Progress, { formatBytes, formatCount }: Formats) {
  if (rows !== null) {
    return `${formatCount(rows)} of ${formatCount(declared.rows)} rows · ${formatBytes(bytes)}`
  }
  if (declared.bytes === null) return formatBytes(bytes)
  return `${formatBytes(bytes)} of ${formatBytes(declared.bytes)}`
}

/** How far an export is, 0 to 1; null where none goes on or nobody can tell. */
export function toShare(state: ExportState): number | null {
  if (state.phase !== 'running' || !state.progress) return null
  const { rows, bytes, declared } = state.progress
  if (rows !== null) return declared.rows === 0 ? 1 : Math.min(1, rows / declared.rows)
  return declared.bytes ? Math.min(1, bytes / declared.bytes) : null
}

/** What a screen reader is told; failures are notices and are read by themselves. */
export function announce(state: ExportState): string {
  switch (state.phase) {
    case 'running':
      return 'Exporting'
    case 'saved':
      return `Saved all ${state.received.declared.rows} rows`
    case 'cancelled':
      return 'The export was cancelled. Nothing was saved.'
    default:
      return ''
  }
}
