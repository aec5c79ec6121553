import { dehydrate, HydrationBoundary, type QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'

type HydratedProps = { client: QueryClient; children: ReactNode }

export const Hydrated = ({ client, children }: HydratedProps) => (
  <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>
)
