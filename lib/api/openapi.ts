import { noQuery } from '#lib/contract/api-queries.ts'
import { toOpenApi } from '#lib/contract/openapi/openapi-document.ts'
import packageFile from '../../package.json' with { type: 'json' }
import type { RawEndpoint } from './endpoint.ts'
import { type Prepared, prepare, readParameters, sendPrepared } from './respond.ts'

let prepared: Prepared | null = null

/** The description of this API, made once. */
export const respondOpenApi: RawEndpoint = {
  method: 'GET',
  respond: async (_deps, { request, params }) => {
    readParameters(noQuery, params)
    prepared ??= prepare(toOpenApi(packageFile.version))
    return sendPrepared(request, prepared)
  },
}
