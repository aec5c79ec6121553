import { streamQuarantine } from '#lib/api/status.ts'
import { mountExport } from '#lib/server/node-handlers.ts'

export const config = { api: { bodyParser: false, responseLimit: false, externalResolver: true } }

export default mountExport(streamQuarantine)
