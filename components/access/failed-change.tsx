import { useMutation, useQueryClient } from '@tanstack/react-query'
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

export function useChange<T, R>(change: (wanted: T) => Promise<R>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['access'] }),
  })
}
