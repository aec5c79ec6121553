import { dehydrate, HydrationBoundary, type QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { packRows } from '#lib/client/packed-rows.ts'

type HydratedProps = { client: QueryClient; children: ReactNode }

/** Hands what was asked on the server to the browser's own client, rows as columns: there they become rows again. */
export const Hydrated = ({ client, children }: HydratedProps) => (
  <HydrationBoundary state={dehydrate(client, { serializeData: packRows })}>
    {children}
  </HydrationBoundary>
)
