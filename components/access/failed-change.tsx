import { Notice } from '#components/ui/messages.tsx'

type FailedChangeProps = { of: readonly { error: Error | null }[] }

export function FailedChange({ of: changes }: FailedChangeProps) {
  const error = changes.find((change) => change.error)?.error
  return error ? (
    <Notice tone="failure" title="The change failed">
      {error.message}
    </Notice>
  ) : null
}
