import { onSocket } from '#lib/server/routes/on-socket.ts'

export const config = { api: { bodyParser: false, responseLimit: false, externalResolver: true } }

export default onSocket('export')
