import { streamEvents } from '#lib/api/status.ts'
import { mountEvents } from '#lib/server/node-handlers.ts'

export const config = { api: { bodyParser: false, responseLimit: false, externalResolver: true } }

export default mountEvents(streamEvents)
