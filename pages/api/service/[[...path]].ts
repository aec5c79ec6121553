import type { NextApiRequest, NextApiResponse } from 'next'
import { mountService } from '#lib/server/mount-service.ts'

export const config = { api: { bodyParser: false, responseLimit: false, externalResolver: true } }

export default (request: NextApiRequest, response: NextApiResponse) =>
  mountService(request, response)
