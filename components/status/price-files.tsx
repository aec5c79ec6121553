'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { formatBytes, formatCounted } from '#components/format/numbers.ts'
import { useMay } from '#components/permissions/use-may.tsx'
import { Button } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { LiveRegion, Notice } from '#components/ui/messages.tsx'
import { sendOperation } from '#lib/client/fetch-api.ts'
import { statusOptions } from '#lib/client/query-options.ts'
import type { PriceFile } from '#lib/contract/answers/status.ts'
import { processOperations } from '#lib/contract/operations/commands.ts'
import { PRICE_FILE_MAX_BYTES } from '#lib/contract/price-files.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

type PriceFilesProps = {
  files: readonly PriceFile[]
  isOneOfSeveral: boolean
  children: ReactNode
}

export function PriceFiles({ files, isOneOfSeveral, children }: PriceFilesProps) {
  const mayPut = useMay('sync')
  const { put, remove } = usePriceFiles()
  const [isOver, setIsOver] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  if (!mayPut) return children
  const isBusy = put.isPending || remove.isPending
  const take = (chosen: FileList | null | undefined) => {
    if (!isBusy && chosen && chosen.length > 0) put.mutate([...chosen])
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    take(event.dataTransfer.files)
  }
  const failure = put.error ?? remove.error
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a second way for the pointer; the button within does the same
    <div
      className={classNames(
        'grid gap-2 rounded-md',
        isOver && 'outline-2 outline-offset-4 outline-accent outline-dashed',
      )}
      onDragLeave={() => setIsOver(false)}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDrop={onDrop}
    >
      {children}
      {failure !== null && (
        <Notice tone="failure" title="The price files are as they were">
          <p className="wrap-anywhere">{failure.message}</p>
        </Notice>
      )}
      <Dropped files={files} isBusy={isBusy} onRemove={(name) => remove.mutate(name)} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 print:hidden">
        <input
          ref={field}
          accept=".csv,text/csv"
          aria-label="Price files"
          className="hidden"
          multiple
          onChange={({ target }) => {
            take(target.files)
            // Lets the same file be chosen again.
            target.value = ''
          }}
          type="file"
        />
        <Button disabled={isBusy} onClick={() => field.current?.click()} size="small">
          {put.isPending ? 'Reading…' : 'Add a price file'}
        </Button>
        <span className="text-sm text-ink-3 pointer-coarse:hidden">or drop one here</span>
      </div>
      {isOneOfSeveral && (
        <p className="text-sm text-ink-3">
          Each node has its own prices: a file added here reaches only the node that served this
          page.
        </p>
      )}
      <LiveRegion message={put.isSuccess ? 'The prices were read' : ''} />
    </div>
  )
}

type DroppedProps = {
  files: readonly PriceFile[]
  isBusy: boolean
  onRemove: (name: string) => void
}

function Dropped({ files, isBusy, onRemove }: DroppedProps) {
  const dropped = files.filter((file) => file.is_dropped)
  if (dropped.length === 0) return null
  return (
    <ul aria-label="Files that were added here" className="flex flex-col">
      {dropped.map(({ file, rows }) => (
        <li
          key={file}
          className="flex flex-wrap items-center justify-between gap-x-4 border-t py-1 first:border-t-0"
        >
          <bdi className="wrap-anywhere">{toVisibleText(file)}</bdi>
          <span className="flex items-center gap-3 text-ink-3">
            {formatCounted(rows, 'close')}
            <Button
              aria-label={`Remove ${toVisibleText(file)}`}
              disabled={isBusy}
              onClick={() => onRemove(file)}
              size="small"
              variant="quiet"
            >
              Remove
            </Button>
          </span>
        </li>
      ))}
    </ul>
  )
}

function usePriceFiles() {
  const queryClient = useQueryClient()
  const onSettled = () => queryClient.invalidateQueries(statusOptions())
  const put = useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const file of files) {
        if (file.size > PRICE_FILE_MAX_BYTES) {
          const most = formatBytes(PRICE_FILE_MAX_BYTES)
          throw new Error(
            `${toVisibleText(file.name)} has ${formatBytes(file.size)}; the limit is ${most}. Name it in PRICES_CSV instead.`,
          )
        }
        await sendOperation(processOperations.putPriceFile, {
          parts: { file: file.name },
          body: file,
        })
      }
    },
    onSettled,
  })
  const remove = useMutation({
    mutationFn: async (name: string) =>
      await sendOperation(processOperations.removePriceFile, { parts: { file: name } }),
    onSettled,
  })
  return {
    put: {
      ...put,
      error: remove.isSuccess && remove.submittedAt > put.submittedAt ? null : put.error,
    },
    remove: { ...remove, error: put.submittedAt > remove.submittedAt ? null : remove.error },
  }
}
