import { mountService } from '#lib/server/node-handlers.ts'

export const config = { api: { bodyParser: false, responseLimit: false, externalResolver: true } }

export default mountService
