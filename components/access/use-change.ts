'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'

/** Changes something of who may come in; what is shown of it is asked for anew, whatever came of it. */
export function useChange<T, R>(change: (wanted: T) => Promise<R>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['access'] }),
  })
}
