import type { NextApiRequest, NextApiResponse } from 'next'
import { sendEdition } from '#lib/server/send-edition.ts'

export const config = { api: { bodyParser: false, responseLimit: false, externalResolver: true } }

export default (request: NextApiRequest, response: NextApiResponse) =>
  sendEdition('posts', request, response)
