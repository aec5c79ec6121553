import type { NextApiRequest, NextApiResponse } from 'next'
import { mountEvents } from '#lib/server/mount-events.ts'

export const config = { api: { bodyParser: false, responseLimit: false, externalResolver: true } }

export default (request: NextApiRequest, response: NextApiResponse) =>
  mountEvents(request, response)
