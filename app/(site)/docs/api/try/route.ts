import { namesOf, partsOf } from '#components/docs/api-screens.tsx'
import { withBase } from '#lib/contract/base-path.ts'
import { toTriedAddress } from '#lib/contract/openapi/tried-address.ts'
import { OPERATIONS } from '#lib/contract/operations/operations.ts'
import { permitted } from '#lib/server/routes/mount.ts'
import { loadApiExamples } from '../../../../tried-examples.ts'

export const dynamic = 'force-dynamic'

/** For forms without JavaScript. Redirects to API addresses only. */
export const GET = permitted(async (request) => {
  const fields = new URL(request.url).searchParams
  const operation = OPERATIONS.find(
    ({ id, method }) => method === 'GET' && id === fields.get('operation'),
  )
  if (!operation) return redirectTo('/docs/api')
  const { address } = operation
  const parts = partsOf(operation, await loadApiExamples())
  return redirectTo(toTriedAddress({ address, names: namesOf(operation) }, fields, parts))
})

const redirectTo = (location: string) =>
  new Response(null, { status: 303, headers: { location: withBase(location) } })
