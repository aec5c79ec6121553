'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'

export function useChange<T, R>(change: (wanted: T) => Promise<R>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['access'] }),
  })
}
