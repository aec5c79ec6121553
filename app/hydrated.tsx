import { dehydrate, HydrationBoundary, type QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'

type HydratedProps = { client: QueryClient; children: ReactNode }

/** Hands the answers that the server loaded to the browser's query client. */
export const Hydrated = ({ client, children }: HydratedProps) => (
  <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>
)
