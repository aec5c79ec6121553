import type { NextApiRequest, NextApiResponse } from 'next'
import { sendEditionFile } from '#lib/server/send-edition.ts'

export const config = { api: { bodyParser: false, responseLimit: false, externalResolver: true } }

export default (request: NextApiRequest, response: NextApiResponse) =>
  sendEditionFile(request, response)
