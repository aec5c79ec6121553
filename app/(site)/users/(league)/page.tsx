import type { Metadata } from 'next'
import { toTimedTitle } from '#components/format/instants.ts'
import { PageBody } from '#components/ui/page-layout.tsx'
import { UsersScreen } from '#components/users/users-screen.tsx'
import { createQueryClient } from '#lib/client/query-client.ts'
import { usersOptions } from '#lib/client/user-options.ts'
import { readAsOf } from '#lib/contract/api-queries.ts'
import { rankedUsersQuery, usersQuery } from '#lib/contract/lists/users.ts'
import { toUrlParams } from '#lib/contract/page-addresses.ts'
import { readLeniently, toParams } from '#lib/contract/query-schema.ts'
import { fetchInProcess } from '#lib/server/pages/fetch-in-process.ts'
import { requireAccess } from '#lib/server/pages/require-access.ts'
import { selectRuntime } from '#lib/server/runtime/runtime.ts'
import { Hydrated } from '../../../hydrated.tsx'

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  return {
    title: toTimedTitle('Users', readAsOf(toUrlParams(await searchParams))),
    description: 'Every user: how often they were right, and how much they rate.',
  }
}

export default async function UsersPage({ searchParams }: Props) {
  await requireAccess()
  const isRanked = selectRuntime()?.hasPrices() ?? false
  const schema = isRanked ? rankedUsersQuery : usersQuery
  const { query } = readLeniently(schema, toUrlParams(await searchParams))
  const params = toParams(usersQuery, query)
  const queryClient = createQueryClient()
  await queryClient.prefetchQuery(usersOptions(params, fetchInProcess))
  return (
    <PageBody>
      <Hydrated client={queryClient}>
        <UsersScreen isRanked={isRanked} />
      </Hydrated>
    </PageBody>
  )
}
