import { streamSymbols } from '#lib/api/exports.ts'
import { mountExport } from '#lib/server/node-handlers.ts'

export const config = { api: { bodyParser: false, responseLimit: false, externalResolver: true } }

export default mountExport(streamSymbols('json'))
