import { TRIED_OPERATIONS } from '#components/docs/doc-screens.tsx'
import { namesOf, partsOf } from '#components/docs/operation-screen.tsx'
import { withBase } from '#lib/contract/base-path.ts'
import { toTriedAddress } from '#lib/contract/openapi/tried-address.ts'
import { permitted } from '#lib/server/routes/mount.ts'
import { loadApiExamples } from '../../../../tried-examples.ts'

export const dynamic = 'force-dynamic'

/** For forms without JavaScript. Redirects to API addresses only. */
export const GET = permitted(async (request) => {
  const fields = new URL(request.url).searchParams
  const operation = TRIED_OPERATIONS.find(({ id }) => id === fields.get('operation'))
  if (!operation) return redirectTo('/docs/api')
  const { address } = operation
  const parts = partsOf(operation, await loadApiExamples())
  return redirectTo(toTriedAddress({ address, names: namesOf(operation) }, fields, parts))
})

const redirectTo = (location: string) =>
  new Response(null, { status: 303, headers: { location: withBase(location) } })
