import type { NextApiRequest, NextApiResponse } from 'next'
import { mountEvents } from '#lib/server/node-handlers.ts'

export const config = { api: { bodyParser: false, responseLimit: false, externalResolver: true } }

export default (request: NextApiRequest, response: NextApiResponse) =>
  mountEvents(request, response)
