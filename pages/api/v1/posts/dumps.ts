import { sendEdition } from '#lib/server/send-edition.ts'

export const config = { api: { bodyParser: false, responseLimit: false, externalResolver: true } }

export default sendEdition('posts')
